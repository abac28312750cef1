// SPDX-License-Identifier: Apache-2.0
// Carries only the pkg-config flags; the shims include the headers.
