// SPDX-License-Identifier: Apache-2.0
// What Swift cannot see of FFmpeg's libraries, and what differs between their versions.
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <stdint.h>

#if LIBAVCODEC_VERSION_MAJOR < 59
#error "Burnscope needs FFmpeg 5.1 or later"
#endif

// Macros with casts are not imported by Swift.
static const int64_t bs_no_pts = AV_NOPTS_VALUE;
static const int32_t bs_eof = AVERROR_EOF;
static const int32_t bs_again = AVERROR(EAGAIN);
static const int32_t bs_io_error = AVERROR(EIO);
static const int32_t bs_no_memory = AVERROR(ENOMEM);
static const int32_t bs_not_supported = AVERROR(ENOSYS);
static const int32_t bs_invalid_argument = AVERROR(EINVAL);
static const int32_t bs_exit = AVERROR_EXIT;
static const int32_t bs_invalid_data = AVERROR_INVALIDDATA;

/// The libraries whose versions are checked, in the order of `bs_library_name`.
enum { bs_library_count = 4 };
/// The name of a library, such as "libavformat"; index 0 to 3.
const char *bs_library_name(int index);
/// The version that the headers of this build stated, as major << 16 | minor << 8 | micro.
unsigned bs_header_version(int index);
/// The version of the library that is loaded.
unsigned bs_loaded_version(int index);

/// Sends FFmpeg's messages to a buffer of the calling thread, never to standard error.
void bs_log_install(void);
/// Copies the thread's collected error lines, separated by newlines, and forgets them.
/// Returns the number of bytes written without the closing zero.
int bs_log_take(char *buffer, int size);

typedef int (*bs_read_callback)(void *opaque, uint8_t *buffer, int size);
typedef int (*bs_write_callback)(void *opaque, const uint8_t *buffer, int size);
typedef int64_t (*bs_seek_callback)(void *opaque, int64_t offset, int whence);

/// Makes an I/O context that reads by callbacks; NULL without memory.
AVIOContext *bs_io_reader(
    void *opaque, int buffer_size, bs_read_callback read, bs_seek_callback seek);
/// Makes an I/O context that writes by callbacks; NULL without memory. The constness of the
/// callback's buffer differs between versions.
AVIOContext *bs_io_writer(
    void *opaque, int buffer_size, bs_write_callback write, bs_seek_callback seek);
/// Frees an I/O context of the two functions above with its buffer.
void bs_io_free(AVIOContext *io);

/// Makes a demuxer refuse to open any other file or address.
void bs_forbid_second_files(AVFormatContext *context);

/// Decodes one subtitle packet; the packet's constness differs between versions.
int bs_decode_subtitle(
    AVCodecContext *context, AVSubtitle *subtitle, int *got_subtitle, AVPacket *packet);

/// Copies one component (0 Y, 1 Cb, 2 Cr) of a Y'CbCr or grey frame as 8-bit samples without padding,
/// deeper samples shifted down. Returns the byte count, or AVERROR(EINVAL) where the format has no
/// such plain component. `destination` may be NULL to ask for the size.
int64_t bs_copy_component(const AVFrame *frame, int component, uint8_t *destination);
/// Whether chroma is halved in both directions and every component can be copied.
int bs_is_420(const AVFrame *frame);

/// Whether two runs of bytes are the same.
int bs_bytes_equal(const void *left, const void *right, size_t count);

/// Filters of the scaler. SWS_* are macros in old headers, an enumeration in new ones.
enum {
  bs_filter_fast_bilinear,
  bs_filter_bilinear,
  bs_filter_bicubic,
  bs_filter_area,
  bs_filter_lanczos,
  bs_filter_nearest,
};

/// Scales a picture as FFmpeg's `scale` filter does. Both frames have format, size and buffers;
/// `matrix` is an SWS_CS_* number for the Y'CbCr side, or 0 for the default. Returns an FFmpeg
/// error code or a value of 0 and more.
int bs_scale(const AVFrame *source, AVFrame *destination, int filter, int matrix);
/// SWS_CS_* of BT.601, BT.709 and BT.2020.
static const int32_t bs_matrix_601 = SWS_CS_ITU601;
static const int32_t bs_matrix_709 = SWS_CS_ITU709;
static const int32_t bs_matrix_2020 = SWS_CS_BT2020;

/// Copies `4 * width * height` bytes of R, G, B, A into a frame of B, G, R, A, or back.
void bs_rgba_to_frame(const uint8_t *bytes, AVFrame *frame);
void bs_frame_to_rgba(const AVFrame *frame, uint8_t *bytes);

/// Encodes a subtitle of `count` rectangles, given as parallel arrays of plain values, into `buffer`.
/// Returns the byte count or an FFmpeg error code.
typedef struct bs_rect {
  int x, y, width, height, color_count, forced;
  const uint8_t *indices;
  const uint32_t *palette;  // 0xAARRGGBB
} bs_rect;
int bs_encode_subtitle(
    AVCodecContext *context, const bs_rect *rects, int count, int64_t pts_microseconds,
    uint32_t start_milliseconds, uint32_t end_milliseconds, uint8_t *buffer, int buffer_size);
