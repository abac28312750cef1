// SPDX-License-Identifier: Apache-2.0

/// The decisions of a player that lets a media server burn a bitmap subtitle into the picture.
///
/// Every member is a pure function: it looks at its arguments and at nothing else. The names are
/// those of the vector files that a player in another language checks itself with.
public enum BurnIn {}
