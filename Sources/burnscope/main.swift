// SPDX-License-Identifier: Apache-2.0
import BurnscopeCommandLine

await BurnscopeTool.main()
