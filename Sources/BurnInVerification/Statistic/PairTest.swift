// SPDX-License-Identifier: Apache-2.0
struct PairPlanes {}
final class FrameSearch {}
