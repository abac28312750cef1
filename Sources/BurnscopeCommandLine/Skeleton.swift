// SPDX-License-Identifier: Apache-2.0

public enum BurnscopeTool { public static func main() async {} }
