# SPDX-License-Identifier: Apache-2.0
"""PyPI's jellyfin-sdk, whose models are strict, signs in, finds the film, plays it and reports.

usage: use_jellyfin_sdk.py ADDRESS API_VERSION
"""
import sys

import jellyfin
from jellyfin.generated import Version

from playing import DEVICE, PASSWORD, PROFILE, USER, check, play

IDENTITY = f'MediaBrowser Client="clients-check", Device="bench", DeviceId="{DEVICE}", Version="1"'


def connect(address: str, token: str, version: str):
    api = jellyfin.api(address, token, Version(version))
    api.register_client("clients-check", "bench", DEVICE, "1.0")
    return api


def main() -> None:
    address, version = sys.argv[1:3]
    api = connect(address, "", version)
    made = api.generated
    # The sign-in is described as one without credentials, and yet the server asks who signs in.
    signed_in = made.UserApi(api.client).authenticate_user_by_name(
        made.AuthenticateUserByName(username=USER, pw=PASSWORD),
        _headers={"Authorization": IDENTITY},
    )
    user = signed_in.user.id
    api = connect(address, signed_in.access_token, version)
    check(api.system.info.version.startswith(version), "the version is another")
    found = made.ItemsApi(api.client).get_items(
        user_id=user, search_term="bar", recursive=True, include_item_types=["Movie"]
    )
    check(found.total_record_count == 1, f"{found.total_record_count} films instead of 1")
    item = made.UserLibraryApi(api.client).get_item(found.items[0].id, user_id=user)
    source = item.media_sources[0]
    track = next(s for s in source.media_streams if s.type == "Subtitle")
    info = made.MediaInfoApi(api.client).get_posted_playback_info(
        item.id,
        playback_info_dto=made.PlaybackInfoDto.from_dict(
            {
                "UserId": str(user),
                "MediaSourceId": source.id,
                "SubtitleStreamIndex": track.index,
                "EnableDirectPlay": False,
                "DeviceProfile": PROFILE,
            }
        ),
    )
    answer = info.media_sources[0]
    check(answer.default_subtitle_stream_index == track.index, "the index is not echoed")
    report = {
        "ItemId": str(item.id),
        "MediaSourceId": source.id,
        "PlaySessionId": info.play_session_id,
        "SubtitleStreamIndex": track.index,
        "PlayMethod": "Transcode",
        "PositionTicks": 0,
    }
    state = made.PlaystateApi(api.client)
    state.report_playback_start(made.PlaybackStartInfo.from_dict(report))
    play(address, answer.transcoding_url)
    state.report_playback_progress(
        made.PlaybackProgressInfo.from_dict(dict(report, PositionTicks=30000000))
    )
    state.report_playback_stopped(made.PlaybackStopInfo.from_dict(report))
    made.HlsSegmentApi(api.client).stop_encoding_process(DEVICE, info.play_session_id)
    # A session that transcodes cannot be read by this client, whose reasons are an empty enum.
    sessions = made.SessionApi(api.client).get_sessions(device_id=DEVICE)
    check(sessions[0].transcoding_info is None, "the transcode goes on")


if __name__ == "__main__":
    main()
