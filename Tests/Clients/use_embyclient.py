# SPDX-License-Identifier: Apache-2.0
"""PyPI's embyclient signs in, finds the film, plays it and reports.

usage: use_embyclient.py ADDRESS
"""
import sys

import emby_client

from playing import DEVICE, PASSWORD, PROFILE, USER, check, play

IDENTITY = f'Emby Client="clients-check", Device="bench", DeviceId="{DEVICE}", Version="1.0"'


def connect(address: str, token: str | None):
    configuration = emby_client.Configuration()
    configuration.host = address + "/emby"
    if token:
        configuration.api_key["api_key"] = token
    client = emby_client.ApiClient(configuration)
    client.default_headers["X-Emby-Authorization"] = IDENTITY
    return client


def main() -> None:
    address = sys.argv[1]
    signed_in = emby_client.UserServiceApi(
        connect(address, None)
    ).post_users_authenticatebyname({"Username": USER, "Pw": PASSWORD}, IDENTITY)
    client = connect(address, signed_in.access_token)
    user = signed_in.user.id
    found = emby_client.ItemsServiceApi(client).get_users_by_userid_items(
        user, search_term="bar", recursive=True, include_item_types="Movie"
    )
    check(found.total_record_count == 1, f"{found.total_record_count} films instead of 1")
    item = emby_client.UserLibraryServiceApi(client).get_users_by_userid_items_by_id(
        user, found.items[0].id
    )
    source = item.media_sources[0]
    check(source.id == f"mediasource_{item.id}", f"the source is called {source.id}")
    track = next(s for s in source.media_streams if s.type == "Subtitle")
    body = {
        "Id": item.id,
        "UserId": user,
        "MediaSourceId": source.id,
        "SubtitleStreamIndex": track.index,
        "EnableDirectPlay": False,
        "EnableDirectStream": False,
        "IsPlayback": True,
        "DeviceProfile": PROFILE,
    }
    info = emby_client.MediaInfoServiceApi(client).post_items_by_id_playbackinfo(body, item.id)
    answer = info.media_sources[0]
    check(answer.default_subtitle_stream_index == track.index, "the index is not echoed")
    check(answer.direct_stream_url == answer.transcoding_url, "two addresses of one stream")
    report = {
        "ItemId": item.id,
        "MediaSourceId": source.id,
        "PlaySessionId": info.play_session_id,
        "SubtitleStreamIndex": track.index,
        "PlayMethod": "Transcode",
        "PositionTicks": 0,
        "EventName": "TimeUpdate",
    }
    state = emby_client.PlaystateServiceApi(client)
    state.post_sessions_playing(report)

    def look() -> None:
        state.post_sessions_playing_progress(dict(report, PositionTicks=30000000))
        session = emby_client.SessionsServiceApi(client).get_sessions(device_id=DEVICE)[0]
        check(session.play_state.position_ticks == 30000000, "the report was not taken")
        steps = [step.step_type for step in session.transcoding_info.video_pipeline_info]
        check("SubtitleOverlay" in steps, f"no overlay among the steps {steps}")

    play(address + "/emby", answer.transcoding_url, look)
    state.post_sessions_playing_stopped(report)
    emby_client.HlsSegmentServiceApi(client).post_videos_activeencodings_delete(
        DEVICE, info.play_session_id
    )
    session = emby_client.SessionsServiceApi(client).get_sessions(device_id=DEVICE)[0]
    check(session.transcoding_info is None, "the transcode goes on")


if __name__ == "__main__":
    main()
