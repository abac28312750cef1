// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension Service {
  private var publicFields: JSON {
    if version.isEmby { return embyPublicFields }
    return .fields([
      "LocalAddress": .string(address.withLock { $0 }), "ServerName": "burnscope",
      "Version": .string(version.description), "ProductName": "Jellyfin Server",
      "OperatingSystem": .string(version.line == 8 ? "Linux" : ""), "Id": .string(serverID),
      "StartupWizardCompleted": true,
    ])
  }

  func publicInfo() -> ServerResponse { .json(publicFields) }

  func systemInfo() -> ServerResponse {
    .json(
      JSON.fields([
        "OperatingSystemDisplayName": "", "HasPendingRestart": false, "IsShuttingDown": false,
        "SupportsLibraryMonitor": true, "WebSocketPortNumber": 8096, "CompletedInstallations": [],
        "CanSelfRestart": false, "CanLaunchWebBrowser": false,
      ]).adding([
        "ProgramDataPath": "/config", "WebPath": "/web", "ItemsByNamePath": "/config/metadata",
        "CachePath": "/cache", "LogPath": "/config/log",
        "InternalMetadataPath": "/config/metadata", "TranscodingTempPath": "/cache/transcodes",
        "CastReceiverApplications": version.isJellyfin(from: 9) ? [] : nil,
        "HasUpdateAvailable": false,
        "EncoderLocation": "System", "SystemArchitecture": "X64",
        "OperatingSystem": version.isEmby ? "Linux" : nil,
      ]).prepending(publicFields))
  }

  func signIn(_ call: Call) throws -> ServerResponse {
    guard version.isEmby || call.request.header("Content-Type") != nil else {
      throw Refusal(errors.problem(415, "Unsupported Media Type"))
    }
    let credentials = Credentials(call.request, version: version)
    guard let body = try? JSON(parsing: call.request.body) else {
      throw Refusal(errors.validation("$", "The JSON value could not be converted."))
    }
    guard let identity = credentials.identity, let name = body["Username"]?.text else {
      throw Refusal(.plain(400))
    }
    guard
      let caller = accounts.signIn(name: name, password: body["Pw"]?.text ?? "", from: identity),
      let account = caller.account
    else {
      throw Refusal(
        version.isEmby ? Self.embyError(401, "The name or the password is wrong.") : .plain(401))
    }
    sessions.touch(caller)
    return .json(
      .fields([
        "User": userFields(account), "SessionInfo": sessionFields(caller, transcoding: nil),
        "AccessToken": .string(caller.token), "ServerId": .string(serverID),
      ]))
  }

  /// Ends the validity of the caller's token; an API key stays.
  func signOut(_ call: Call) throws -> ServerResponse {
    accounts.signOut(try call.authorized())
    return .empty(204)
  }

  func ownUser(_ call: Call) throws -> ServerResponse {
    guard let account = try call.authorized().account else {
      throw Refusal(errors.problem(400, "Bad Request"))
    }
    return .json(userFields(account))
  }

  /// Every user, for an API key, which belongs to none of them.
  func users(_ call: Call) throws -> ServerResponse {
    _ = try call.authorized()
    return .json(.array(accounts.all.map(userFields)))
  }

  /// Emby's list of users.
  func userQuery(_ call: Call) throws -> ServerResponse {
    _ = try call.authorized()
    return .json(
      .fields([
        "Items": .array(accounts.all.map(userFields)),
        "TotalRecordCount": .integer(accounts.all.count),
      ]))
  }

  func user(_ call: Call) throws -> ServerResponse {
    guard let id = Identifier.parse(call["user"]) else {
      throw Refusal(errors.validation("userId", "The value '\(call["user"])' is not valid."))
    }
    guard let account = accounts.account(id) else { return .json("User not found", status: 404) }
    return .json(userFields(account))
  }

  private func userFields(_ account: Account) -> JSON {
    .fields([
      "Name": .string(account.name), "ServerId": .string(serverID), "Id": .string(account.id),
      "HasPassword": .bool(!account.password.isEmpty),
      "HasConfiguredPassword": .bool(!account.password.isEmpty),
      "HasConfiguredEasyPassword": false, "EnableAutoLogin": false,
      "LastLoginDate": .string(dateText(sessions.now)),
      "LastActivityDate": .string(dateText(sessions.now)),
      "Configuration": Self.userConfiguration, "Policy": Self.userPolicy,
      "Prefix": version.isEmby ? .string(account.name.prefix(1).uppercased()) : nil,
      "DateCreated": version.isEmby ? .string(dateText(0)) : nil,
    ])
  }

  private static let userConfiguration = JSON.fields([
    "PlayDefaultAudioTrack": true, "SubtitleLanguagePreference": "",
    "DisplayMissingEpisodes": false, "GroupedFolders": [], "SubtitleMode": "Default",
    "DisplayCollectionsView": false, "EnableLocalPassword": false, "OrderedViews": [],
    "LatestItemsExcludes": [], "MyMediaExcludes": [], "HidePlayedInLatest": true,
    "RememberAudioSelections": true, "RememberSubtitleSelections": true,
    "EnableNextEpisodeAutoPlay": true,
  ])

  private static let userPolicy = JSON.fields([
    "IsAdministrator": false, "IsHidden": true, "EnableCollectionManagement": false,
    "EnableSubtitleManagement": false, "EnableLyricManagement": false, "IsDisabled": false,
    "BlockedTags": [], "AllowedTags": [], "EnableUserPreferenceAccess": true,
    "AccessSchedules": [], "BlockUnratedItems": [], "EnableRemoteControlOfOtherUsers": false,
    "EnableSharedDeviceControl": true, "EnableRemoteAccess": true,
  ]).adding([
    "EnableLiveTvManagement": true, "EnableLiveTvAccess": true, "EnableMediaPlayback": true,
    "EnableAudioPlaybackTranscoding": true, "EnableVideoPlaybackTranscoding": true,
    "EnablePlaybackRemuxing": true, "ForceRemoteSourceTranscoding": false,
    "EnableContentDeletion": false, "EnableContentDeletionFromFolders": [],
    "EnableContentDownloading": true, "EnableSyncTranscoding": true,
    "EnableMediaConversion": true, "EnabledDevices": [], "EnableAllDevices": true,
    "EnabledChannels": [], "EnableAllChannels": true, "EnabledFolders": [],
  ]).adding([
    "EnableAllFolders": true, "InvalidLoginAttemptCount": 0, "LoginAttemptsBeforeLockout": -1,
    "MaxActiveSessions": 0, "EnablePublicSharing": true, "BlockedMediaFolders": [],
    "BlockedChannels": [], "RemoteClientBitrateLimit": 0, "AuthenticationProviderId": "provider",
    "PasswordResetProviderId": "provider", "SyncPlayAccess": "CreateAndJoinGroups",
  ])
}

extension JSON {
  /// This object with the members of another before its own.
  func prepending(_ other: JSON) -> JSON {
    guard case .object(let own) = self, case .object(let more) = other else { return self }
    return .object(more + own)
  }
}
