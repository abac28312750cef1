// SPDX-License-Identifier: Apache-2.0

extension Service {
  /// The identifier of the one library.
  var libraryID: String {
    let text = "library " + serverID
    return version.isEmby ? Identifier.decimal(text) : Identifier.stable(text)
  }

  private func list(_ rows: [JSON], total: Int, start: Int) -> ServerResponse {
    .json(
      .fields([
        "Items": .array(rows), "TotalRecordCount": .integer(total),
        "StartIndex": version.isEmby ? nil : .integer(start),
      ]))
  }

  func views(_ call: Call) throws -> ServerResponse {
    _ = try account(
      call.parts["user"] ?? call.request.parameter("userId"), caller: call.authorized())
    return list([libraryFields], total: 1, start: 0)
  }

  private var libraryFields: JSON {
    if version.isEmby { return embyLibrary }
    return .fields([
      "Name": "Films", "ServerId": .string(serverID), "Id": .string(libraryID),
      "DateCreated": .string(dateText(0)), "CanDelete": false, "CanDownload": false,
      "SortName": "films", "ChannelId": .null, "IsFolder": true, "ParentId": .null,
      "Type": "CollectionFolder", "UserData": userData(libraryID), "CollectionType": "movies",
      "ImageTags": .object([]), "BackdropImageTags": [], "ImageBlurHashes": .object([]),
      "LocationType": "FileSystem", "MediaType": "Unknown",
    ])
  }

  func items(_ call: Call) throws -> ServerResponse {
    let request = call.request
    let caller = try call.authorized()
    if let user = call.parts["user"] ?? request.parameter("userId") {
      _ = try account(user, caller: caller)
    }
    for name in ["limit", "startIndex"] where request.parameter(name) != nil {
      guard request.number(name) != nil else {
        throw Refusal(
          errors.validation(name, "The value '\(request.parameter(name) ?? "")' is not valid."))
      }
    }
    let ids = (request.parameter("ids") ?? "").split(separator: ",").map {
      itemID(String($0))
    }
    if ids.contains(nil) { throw Refusal(errors.validation("ids", "The value is not valid.")) }
    let isAtRoot = request.parameter("parentId") == nil && request.flag("recursive") != true
    if ids.isEmpty, isAtRoot, request.parameter("searchTerm") == nil,
      !version.isEmby || request.parameter("Path") == nil
    {
      return list([libraryFields], total: 1, start: 0)
    }
    var found = films
    if !ids.isEmpty { found = found.filter { ids.contains($0.id) } }
    if let term = request.parameter("searchTerm")?.lowercased() {
      found = found.filter { $0.name.lowercased().contains(term) }
    }
    if let types = request.parameter("includeItemTypes")?.lowercased(), !types.contains("movie") {
      found = []
    }
    if version.isEmby, let path = request.parameter("Path") {
      found = found.filter { $0.path == path }
    }
    if let years = request.parameter("years") {
      let wanted = years.split(separator: ",").map { Int($0) }
      found = found.filter { $0.year != nil && wanted.contains($0.year) }
    }
    let start = max(request.number("startIndex") ?? 0, 0)
    let page = found.dropFirst(start).prefix(max(request.number("limit") ?? Int.max, 0))
    let fields = (request.parameter("fields") ?? "").lowercased().split(separator: ",")
    return list(
      page.map { row($0, fields: Set(fields.map(String.init)), for: caller.account) },
      total: found.count, start: start)
  }

  private func row(_ film: Film, fields: Set<String>, for account: Account?) -> JSON {
    let ticks = resumes.resume(of: film.id, account: account)?.ticks ?? 0
    if version.isEmby { return embyRow(film, fields: fields, resumeTicks: ticks) }
    return .fields([
      "Name": .string(film.name), "ServerId": .string(serverID), "Id": .string(film.id),
      "HasSubtitles": film.subtitles.isEmpty ? nil : true, "Container": .string(film.container),
      "MediaSources": fields.contains("mediasources")
        ? .array([SourceShape(film: film, version: version).json]) : nil,
      "Path": fields.contains("path") ? .string(film.path) : nil, "ChannelId": .null,
      "RunTimeTicks": film.durationTicks.map { .integer($0) },
      "ProductionYear": film.year.map { .integer($0) },
      "ProviderIds": fields.contains("providerids") ? .object([]) : nil, "IsFolder": false,
      "Type": "Movie", "UserData": userData(film.id, ticks: ticks), "VideoType": "VideoFile",
      "ImageTags": .object([]), "BackdropImageTags": [], "ImageBlurHashes": .object([]),
      "LocationType": "FileSystem", "MediaType": "Video",
    ])
  }

  func item(_ call: Call) throws -> ServerResponse {
    let account = try account(
      call.parts["user"] ?? call.request.parameter("userId"), caller: call.authorized())
    let film = try film(call["item"])
    let ticks = resumes.resume(of: film.id, account: account)?.ticks ?? 0
    if version.isEmby { return .json(embyItem(film, resumeTicks: ticks)) }
    let source = SourceShape(film: film, version: version)
    let first = JSON.fields([
      "Name": .string(film.name), "ServerId": .string(serverID), "Id": .string(film.id),
      "Etag": .string(source.entityTag), "DateCreated": .string(dateText(film.modified)),
      "CanDelete": false, "CanDownload": true, "HasSubtitles": film.subtitles.isEmpty ? nil : true,
      "Container": .string(film.container), "SortName": .string(film.name.lowercased()),
      "MediaSources": .array([source.json]), "Path": .string(film.path), "ChannelId": .null,
      "RunTimeTicks": film.durationTicks.map { .integer($0) },
    ])
    return .json(
      first.adding([
        "ProductionYear": film.year.map { .integer($0) }, "ProviderIds": .object([]),
        "IsFolder": false, "ParentId": .string(libraryID), "Type": "Movie",
        "UserData": userData(film.id, ticks: ticks), "MediaStreams": .array(source.streams),
        "VideoType": "VideoFile", "ImageTags": .object([]), "BackdropImageTags": [],
        "ImageBlurHashes": .object([]), "Chapters": [], "LocationType": "FileSystem",
        "MediaType": "Video", "Width": film.video?.width.map { .integer($0) },
        "Height": film.video?.height.map { .integer($0) },
      ]))
  }

  private func userData(_ id: String, ticks: Int = 0) -> JSON {
    .fields([
      "PlaybackPositionTicks": .integer(ticks), "PlayCount": 0, "IsFavorite": false,
      "Played": false,
      "Key": .string(Identifier.dashed(id)), "ItemId": .string(id),
    ])
  }
}
