// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension Service {
  /// A film in a list, as Emby shows it.
  func embyRow(_ film: Film, fields: Set<String>, resumeTicks: Int) -> JSON {
    .fields([
      "Name": .string(film.name), "ServerId": .string(serverID), "Id": .string(film.id),
      "HasSubtitles": film.subtitles.isEmpty ? nil : true,
      "Container": .string(film.container),
      "MediaSources": fields.contains("mediasources")
        ? .array([SourceShape(film: film, version: version).json]) : nil,
      "Path": fields.contains("path") ? .string(film.path) : nil,
      "RunTimeTicks": film.durationTicks.map { .integer($0) },
      "Size": .integer(Int(film.byteCount)), "Bitrate": film.bitRate.map { .integer($0) },
      "ProductionYear": film.year.map { .integer($0) },
      "ProviderIds": fields.contains("providerids") ? .object([]) : nil, "IsFolder": false,
      "Type": "Movie", "UserData": embyUserData(resumeTicks), "ImageTags": .object([]),
      "BackdropImageTags": [], "MediaType": "Video",
    ])
  }

  /// A film by itself, as Emby shows it.
  func embyItem(_ film: Film, resumeTicks: Int) -> JSON {
    let source = SourceShape(film: film, version: version)
    let first = JSON.fields([
      "Name": .string(film.name), "ServerId": .string(serverID), "Id": .string(film.id),
      "Etag": .string(source.entityTag), "DateCreated": .string(dateText(film.modified)),
      "CanDelete": false, "CanDownload": true, "SupportsSync": true,
      "HasSubtitles": film.subtitles.isEmpty ? nil : true, "Container": .string(film.container),
      "SortName": .string(film.name), "MediaSources": .array([source.json]),
      "Path": .string(film.path), "RunTimeTicks": film.durationTicks.map { .integer($0) },
      "Size": .integer(Int(film.byteCount)), "FileName": .string(film.fileName),
      "Bitrate": film.bitRate.map { .integer($0) },
    ])
    return first.adding([
      "ProductionYear": film.year.map { .integer($0) }, "ProviderIds": .object([]),
      "IsFolder": false, "ParentId": .string(libraryID), "Type": "Movie",
      "UserData": embyUserData(resumeTicks), "MediaStreams": source.json["MediaStreams"],
      "ImageTags": .object([]), "BackdropImageTags": [], "Chapters": [], "MediaType": "Video",
      "Width": film.video?.width.map { .integer($0) },
      "Height": film.video?.height.map { .integer($0) },
    ])
  }

  /// The library, as Emby shows it.
  var embyLibrary: JSON {
    .fields([
      "Name": "Films", "ServerId": .string(serverID), "Id": .string(libraryID),
      "CanDelete": false, "CanDownload": false, "SortName": "Films", "IsFolder": true,
      "Type": "CollectionFolder", "UserData": embyUserData(0), "CollectionType": "movies",
      "ImageTags": .object([]), "BackdropImageTags": [],
    ])
  }

  private func embyUserData(_ ticks: Int) -> JSON {
    .fields([
      "PlaybackPositionTicks": .integer(ticks), "PlayCount": 0, "IsFavorite": false,
      "Played": false,
    ])
  }

  /// The server, as Emby tells everyone.
  var embyPublicFields: JSON {
    let own = JSON.string(address.withLock { $0 })
    return .fields([
      "LocalAddress": own, "LocalAddresses": [own], "RemoteAddresses": [],
      "ServerName": "burnscope", "Version": .string(version.description), "Id": .string(serverID),
    ])
  }
}

extension Film {
  /// The last part of the path.
  var fileName: String { String(path.split(separator: "/").last ?? "") }
}
