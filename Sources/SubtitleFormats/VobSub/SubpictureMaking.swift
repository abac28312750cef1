// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

extension SubpictureUnit {
  /// What a picture of a unit needs beside its pixels.
  package struct Look: Sendable, Hashable {
    /// Column of the left edge.
    package var x: Int
    /// Row of the top edge.
    package var y: Int
    /// Palette indices of the four pixel codes.
    package var colors: PixelCodes
    /// Opacity of the four pixel codes, 0 to 15.
    package var contrasts: PixelCodes
    /// Whether it is to be shown though subtitles are off.
    package var isForced = false
    /// Colours that change within the picture.
    package var changes: [LineControl] = []

    /// Makes a look.
    package init(x: Int, y: Int, colors: PixelCodes, contrasts: PixelCodes) {
      self.x = x
      self.y = y
      self.colors = colors
      self.contrasts = contrasts
    }
  }

  /// Makes a unit that shows a picture of pixel codes 0 to 3.
  ///
  /// - Parameters:
  ///   - bitmap: The pixels, at least one.
  ///   - look: Place and colours.
  ///   - start: Date of the start command.
  ///   - stop: Date of the stop command; nil leaves the picture to the next unit.
  ///   - steps: Colours and contrasts of later dates, such as a fade's.
  package init(
    _ bitmap: IndexedBitmap, _ look: Look, start: Int = 0, stop: Int?,
    steps: [(date: Int, colors: PixelCodes, contrasts: PixelCodes)] = []
  ) {
    let fields = SubpictureRunLength.encode(bitmap)
    var opening: [SubpictureCommand] = [
      .setColor(look.colors), .setContrast(look.contrasts),
      .setDisplayArea(
        firstColumn: look.x, lastColumn: look.x + bitmap.width - 1, firstLine: look.y,
        lastLine: look.y + bitmap.height - 1),
      .setPixelDataAddresses(topField: 4, bottomField: 4 + fields.top.count),
    ]
    if !look.changes.isEmpty { opening.append(.changeColorContrast(look.changes)) }
    opening.append(look.isForced ? .forcedStartDisplay : .startDisplay)
    var sequences = [ControlSequence(date: start, commands: opening)]
    for step in steps {
      sequences.append(
        ControlSequence(
          date: step.date, commands: [.setColor(step.colors), .setContrast(step.contrasts)]))
    }
    if let stop { sequences.append(ControlSequence(date: stop, commands: [.stopDisplay])) }
    self.init(pixelData: fields.top + fields.bottom, sequences: sequences)
  }
}
