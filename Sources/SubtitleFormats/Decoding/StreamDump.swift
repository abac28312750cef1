// SPDX-License-Identifier: Apache-2.0
package import BinaryReading
package import SubtitleModel

/// A value of a dumped structure.
package indirect enum DumpValue: Sendable, Hashable {
  /// A number.
  case number(Int64)
  /// A word or sentence.
  case text(String)
  /// Yes or no.
  case flag(Bool)
  /// Several values.
  case list([DumpValue])
  /// Named values.
  case fields([DumpField])
}

/// A named value of a dumped structure.
package struct DumpField: Sendable, Hashable {
  /// The specification's word, in camel case.
  package var name: String
  /// The value.
  package var value: DumpValue

  init(_ name: String, _ value: DumpValue) {
    self.name = name
    self.value = value
  }

  init(_ name: String, _ value: Int) { self.init(name, .number(Int64(value))) }
  init(_ name: String, _ value: Bool) { self.init(name, .flag(value)) }
  init(_ name: String, _ value: String) { self.init(name, .text(value)) }

  init(_ name: String, _ rect: PixelRect) {
    self.init(
      name,
      .fields([
        DumpField("x", rect.x), DumpField("y", rect.y), DumpField("width", rect.width),
        DumpField("height", rect.height),
      ]))
  }
}

/// A structure of a stream as text or JSON can show it.
package struct DumpedStructure: Sendable, Hashable {
  /// What it is, such as `presentation composition segment`.
  package var name: String
  /// Absolute offset of its first byte.
  package var offset: Int64
  /// The time of its packet.
  package var time: Timestamp?
  /// What it says, in the stream's order; pixels and codes as their count of bytes.
  package var fields: [DumpField]
  /// Why it could not be read.
  package var fault: ReadFault?

  /// One line of text: time, offset, name and `field=value` pairs.
  package var text: String {
    let head = (time.map { "\($0) " } ?? "") + "@\(offset) \(name)"
    return ([head] + fields.map(Self.text)).joined(separator: " ")
      + (fault.map { " FAULT \($0)" } ?? "")
  }

  private static func text(_ field: DumpField) -> String { "\(field.name)=\(text(field.value))" }

  private static func text(_ value: DumpValue) -> String {
    switch value {
    case .number(let number): String(number)
    case .text(let text): text
    case .flag(let flag): flag ? "yes" : "no"
    case .list(let values): "[" + values.map(text).joined(separator: " ") + "]"
    case .fields(let fields): "{" + fields.map(text).joined(separator: " ") + "}"
    }
  }
}

extension SubtitleCodec {
  /// The structures of a packet, without state and without decoding pixels.
  ///
  /// - Parameters:
  ///   - packet: A packet of the track.
  ///   - codecTag: The container's tag of the coding, which tells DXSA from DXSB.
  /// - Returns: The structures in order; one that cannot be read has its fault and ends the packet.
  package func dump(_ packet: TrackPacket, codecTag: String? = nil) -> [DumpedStructure] {
    switch self {
    case .pgs: PGSDump.structures(packet)
    case .vobsub: [VobSubDump.unit(packet)]
    case .dvb: DVBDump.structures(packet)
    case .xsub: [XSUBDump.packet(packet, hasAlpha: codecTag?.uppercased() == "DXSA")]
    case .teletext, .text, .unknown: []
    }
  }
}

/// Dumps of presentation graphics.
private enum PGSDump {
  static func structures(_ packet: TrackPacket) -> [DumpedStructure] {
    var result: [DumpedStructure] = []
    var reader = ByteReader(packet.bytes, base: packet.offset)
    while !reader.isAtEnd {
      let offset = reader.position
      do throws(ReadFault) {
        let segment = try PGSSegment(parsing: &reader)
        var payload = ByteReader(segment.payload, base: offset + 3)
        let content = try PGSContent(segment.type, parsing: &payload)
        let (name, fields) = describe(content)
        result.append(
          DumpedStructure(name: name, offset: offset, time: packet.time, fields: fields))
      } catch {
        result.append(
          DumpedStructure(
            name: "PGS segment", offset: offset, time: packet.time, fields: [], fault: error))
        break
      }
    }
    return result
  }

  private static func describe(_ content: PGSContent) -> (String, [DumpField]) {
    switch content {
    case .composition(let value):
      (
        "presentation composition segment",
        [
          DumpField("canvas", "\(value.video.canvas)"),
          DumpField("frameRate", Int(value.video.frameRate)),
          DumpField("compositionNumber", value.compositionNumber),
          DumpField("state", "\(value.state)"),
          DumpField("isPaletteUpdateOnly", value.isPaletteUpdateOnly),
          DumpField("paletteID", value.paletteID),
          DumpField("objects", .list(value.objects.map { .fields(describe($0)) })),
        ]
      )
    case .windows(let value):
      (
        "window definition segment",
        [
          DumpField(
            "windows",
            .list(
              value.windows.map { .fields([DumpField("id", $0.id), DumpField("rect", $0.rect)]) }))
        ]
      )
    case .palette(let value):
      (
        "palette definition segment",
        [
          DumpField("id", value.id), DumpField("version", Int(value.version)),
          DumpField(
            "entries",
            .list(
              value.entries.map { index, entry in
                .list(
                  [index, entry.luma, entry.cr, entry.cb, entry.alpha].map { .number(Int64($0)) })
              })),
        ]
      )
    case .object(let value):
      (
        "object definition segment",
        [
          DumpField("id", value.id), DumpField("version", Int(value.version)),
          DumpField("isFirst", value.head != nil), DumpField("isLast", value.isLast),
        ]
          + (value.head.map {
            [
              DumpField("dataLength", $0.dataLength), DumpField("width", $0.width),
              DumpField("height", $0.height),
            ]
          } ?? []) + [DumpField("bytes", value.data.count)]
      )
    case .end: ("end segment", [])
    }
  }

  private static func describe(_ object: CompositionObject) -> [DumpField] {
    [
      DumpField("objectID", object.objectID), DumpField("windowID", object.windowID),
      DumpField("isForced", object.isForced), DumpField("x", object.x), DumpField("y", object.y),
    ] + (object.crop.map { [DumpField("crop", $0)] } ?? [])
  }
}

/// Dumps of DVD sub-pictures.
private enum VobSubDump {
  static func unit(_ packet: TrackPacket) -> DumpedStructure {
    var dump = DumpedStructure(
      name: "sub-picture unit", offset: packet.offset, time: packet.time, fields: [])
    var reader = ByteReader(packet.bytes, base: packet.offset)
    do throws(ReadFault) {
      let (unit, fault) = try SubpictureUnit.salvage(&reader)
      dump.fault = fault
      dump.fields = [
        DumpField("size", packet.bytes.count), DumpField("pixelBytes", unit.pixelData.count),
        DumpField(
          "sequences",
          .list(
            unit.sequences.map { sequence in
              .fields([
                DumpField("date", sequence.date),
                DumpField("commands", .list(sequence.commands.map { .text(describe($0)) })),
              ])
            })),
      ]
    } catch {
      dump.fault = error
    }
    return dump
  }

  private static func describe(_ command: SubpictureCommand) -> String {
    switch command {
    case .forcedStartDisplay: "FSTA_DSP"
    case .startDisplay: "STA_DSP"
    case .stopDisplay: "STP_DSP"
    case .setColor(let codes): "SET_COLOR \(list(codes))"
    case .setContrast(let codes): "SET_CONTR \(list(codes))"
    case .setDisplayArea(let firstColumn, let lastColumn, let firstLine, let lastLine):
      "SET_DAREA \(firstColumn)-\(lastColumn),\(firstLine)-\(lastLine)"
    case .setPixelDataAddresses(let topField, let bottomField):
      "SET_DSPXA \(topField),\(bottomField)"
    case .changeColorContrast(let list):
      "CHG_COLCON "
        + list.map { control in
          "\(control.firstLine)-\(control.lastLine):"
            + control.changes.map {
              "\($0.column)=\(Self.list($0.colors))/\(Self.list($0.contrasts))"
            }.joined(separator: ",")
        }.joined(separator: ";")
    }
  }

  private static func list(_ codes: PixelCodes) -> String {
    codes.values.map { String($0) }.joined(separator: ",")
  }
}

/// Dumps of DivX subtitles.
private enum XSUBDump {
  static func packet(_ packet: TrackPacket, hasAlpha: Bool) -> DumpedStructure {
    var dump = DumpedStructure(
      name: "XSUB packet", offset: packet.offset, time: packet.time, fields: [])
    var reader = ByteReader(packet.bytes, base: packet.offset)
    do throws(ReadFault) {
      let value = try XSUBPacket(parsing: &reader, hasAlpha: hasAlpha)
      dump.fields = [
        DumpField("start", "\(Timestamp(milliseconds: value.start))"),
        DumpField("end", "\(Timestamp(milliseconds: value.end))"),
        DumpField(
          "rect",
          PixelRect(x: value.left, y: value.top, width: value.width, height: value.height)),
        DumpField("firstFieldLength", value.firstFieldLength),
        DumpField(
          "colors",
          .list(
            value.colors.map { color in
              .list([color.red, color.green, color.blue, color.alpha].map { .number(Int64($0)) })
            })), DumpField("bytes", value.data.count),
      ]
    } catch {
      dump.fault = error
    }
    return dump
  }
}
