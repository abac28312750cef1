// SPDX-License-Identifier: Apache-2.0
import BinaryReading

/// Dumps of DVB subtitles.
enum DVBDump {
  static func structures(_ packet: TrackPacket) -> [DumpedStructure] {
    var result: [DumpedStructure] = []
    var reader = ByteReader(packet.bytes, base: packet.offset)
    DVBDecoder.skipIdentifier(&reader)
    while let next = reader.peek(), next != 0xFF {
      let offset = reader.position
      do throws(ReadFault) {
        let segment = try DVBSegment(parsing: &reader)
        var payload = ByteReader(segment.payload, base: offset + 6)
        var name = "segment of type \(segment.type)"
        var fields = [DumpField("bytes", segment.payload.count)]
        if let kind = DVBSegment.Kind(rawValue: segment.type) {
          (name, fields) = describe(try DVBContent(kind, parsing: &payload))
        }
        result.append(
          DumpedStructure(
            name: name, offset: offset, time: packet.time,
            fields: [DumpField("pageID", segment.pageID)] + fields))
      } catch {
        result.append(
          DumpedStructure(
            name: "DVB subtitle segment", offset: offset, time: packet.time, fields: [],
            fault: error))
        break
      }
    }
    return result
  }

  private static func describe(_ content: DVBContent) -> (String, [DumpField]) {
    switch content {
    case .page(let page):
      (
        "page composition segment",
        [
          DumpField("timeOut", page.timeOut), DumpField("version", page.version),
          DumpField("state", "\(page.state)"),
          DumpField(
            "regions",
            .list(
              page.regions.map {
                .fields([DumpField("id", $0.id), DumpField("x", $0.x), DumpField("y", $0.y)])
              })),
        ]
      )
    case .region(let region): ("region composition segment", describe(region))
    case .clut(let clut):
      (
        "CLUT definition segment",
        [
          DumpField("id", clut.id), DumpField("version", clut.version),
          DumpField("entries", .list(clut.entries.map { .fields(describe($0)) })),
        ]
      )
    case .object(let object): ("object data segment", describe(object))
    case .display(let display):
      (
        "display definition segment",
        [DumpField("version", display.version), DumpField("canvas", "\(display.canvas)")]
          + (display.window.map { [DumpField("window", $0)] } ?? [])
      )
    case .end: ("end of display set segment", [])
    case .other(let kind, let payload): ("\(kind)", [DumpField("bytes", payload.count)])
    }
  }

  private static func describe(_ region: RegionCompositionSegment) -> [DumpField] {
    [
      DumpField("id", region.id), DumpField("version", region.version),
      DumpField("isFilled", region.isFilled), DumpField("width", region.width),
      DumpField("height", region.height), DumpField("depth", region.depth?.rawValue ?? 0),
      DumpField("clutID", region.clutID),
      DumpField(
        "objects",
        .list(
          region.objects.map {
            .fields([
              DumpField("id", $0.id), DumpField("type", Int($0.type)), DumpField("x", $0.x),
              DumpField("y", $0.y),
            ])
          })),
    ]
  }

  private static func describe(_ entry: CLUTDefinitionSegment.Entry) -> [DumpField] {
    [
      DumpField("id", Int(entry.id)),
      DumpField("depths", .list(entry.depths.all.map { .number(Int64($0.rawValue)) })),
      DumpField("isFullRange", entry.isFullRange), DumpField("luma", Int(entry.luma)),
      DumpField("cr", Int(entry.cr)), DumpField("cb", Int(entry.cb)),
      DumpField("transparency", Int(entry.transparency)),
    ]
  }

  private static func describe(_ object: ObjectDataSegment) -> [DumpField] {
    let head = [
      DumpField("id", object.id), DumpField("version", object.version),
      DumpField("hasNonModifyingColor", object.hasNonModifyingColor),
    ]
    switch object.content {
    case .pixels(let top, let bottom):
      return head + [DumpField("topBytes", top.count), DumpField("bottomBytes", bottom.count)]
    case .characters(let codes):
      return head + [DumpField("characters", .list(codes.map { .number(Int64($0)) }))]
    case .other(let method, let data):
      return head + [DumpField("method", Int(method)), DumpField("bytes", data.count)]
    }
  }
}
