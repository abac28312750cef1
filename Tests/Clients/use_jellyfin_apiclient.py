# SPDX-License-Identifier: Apache-2.0
"""PyPI's jellyfin-apiclient-python signs in, finds the film, plays it and reports.

usage: use_jellyfin_apiclient.py ADDRESS
"""
import sys

from jellyfin_apiclient_python import JellyfinClient

from playing import DEVICE, PASSWORD, PROFILE, USER, check, play


def main() -> None:
    address = sys.argv[1]
    client = JellyfinClient()
    client.config.app("clients-check", "1.0", "bench", DEVICE)
    client.config.data["auth.ssl"] = False
    client.auth.connect_to_address(address)
    signed_in = client.auth.login(address, USER, PASSWORD)
    check(signed_in.get("AccessToken"), "the sign-in gave no token")
    api = client.jellyfin
    found = api.search_media_items(term="bar", media="Movie")
    check(found["TotalRecordCount"] == 1, f"{found['TotalRecordCount']} films instead of 1")
    item = api.get_item(found["Items"][0]["Id"])
    source = item["MediaSources"][0]
    track = next(s for s in source["MediaStreams"] if s["Type"] == "Subtitle")
    check(track["Codec"] == "PGSSUB", f"the track's coding is {track['Codec']}")
    info = api.get_play_info(
        item["Id"], PROFILE, sid=track["Index"], media_source_id=source["Id"]
    )
    answer = info["MediaSources"][0]
    check(answer["DefaultSubtitleStreamIndex"] == track["Index"], "the index is not echoed")
    report = {
        "ItemId": item["Id"],
        "MediaSourceId": source["Id"],
        "PlaySessionId": info["PlaySessionId"],
        "SubtitleStreamIndex": track["Index"],
        "PositionTicks": 0,
        "PlayMethod": "Transcode",
    }
    api.session_playing(report)

    def look() -> None:
        api.session_progress(dict(report, PositionTicks=30000000))
        session = api.get_device(DEVICE)[0]
        check(session["PlayState"]["PositionTicks"] == 30000000, "the report was not taken")
        check(session["TranscodingInfo"]["IsVideoDirect"] is False, "the video is copied")

    play(address, answer["TranscodingUrl"], look)
    api.session_stop(report)
    api.close_transcode(DEVICE, info["PlaySessionId"])
    check("TranscodingInfo" not in api.get_device(DEVICE)[0], "the transcode goes on")
    client.stop()


if __name__ == "__main__":
    main()
