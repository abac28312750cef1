// SPDX-License-Identifier: Apache-2.0
#include "CFFmpegShims.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Versions

const char *bs_library_name(int index) {
  static const char *const names[] = {"libavformat", "libavcodec", "libavutil", "libswscale"};
  return index >= 0 && index < bs_library_count ? names[index] : "";
}

unsigned bs_header_version(int index) {
  static const unsigned versions[] = {
      LIBAVFORMAT_VERSION_INT, LIBAVCODEC_VERSION_INT, LIBAVUTIL_VERSION_INT,
      LIBSWSCALE_VERSION_INT};
  return index >= 0 && index < bs_library_count ? versions[index] : 0;
}

unsigned bs_loaded_version(int index) {
  switch (index) {
  case 0: return avformat_version();
  case 1: return avcodec_version();
  case 2: return avutil_version();
  case 3: return swscale_version();
  default: return 0;
  }
}

// Messages. Each thread has a buffer of its own, so that a message meets the call that caused it.

enum { log_capacity = 4096 };
static _Thread_local char log_text[log_capacity];
static _Thread_local int log_length;

static void collect_message(void *object, int level, const char *format, va_list arguments) {
  (void)object;
  if ((level & 0xff) > AV_LOG_ERROR) return;
  char line[512];
  int length = vsnprintf(line, sizeof line, format, arguments);
  if (length <= 0) return;
  if (length >= (int)sizeof line) length = (int)sizeof line - 1;
  if (length > log_capacity - log_length) return;
  memcpy(log_text + log_length, line, (size_t)length);
  log_length += length;
}

void bs_log_install(void) { av_log_set_callback(collect_message); }

int bs_log_take(char *buffer, int size) {
  if (size <= 0) return 0;
  int length = log_length < size - 1 ? log_length : size - 1;
  memcpy(buffer, log_text, (size_t)length);
  buffer[length] = 0;
  log_length = 0;
  return length;
}

// Input and output

AVIOContext *bs_io_reader(
    void *opaque, int buffer_size, bs_read_callback read, bs_seek_callback seek) {
  uint8_t *buffer = av_malloc((size_t)buffer_size);
  if (!buffer) return NULL;
  AVIOContext *io = avio_alloc_context(buffer, buffer_size, 0, opaque, read, NULL, seek);
  if (!io) av_free(buffer);
  return io;
}

AVIOContext *bs_io_writer(
    void *opaque, int buffer_size, bs_write_callback write, bs_seek_callback seek) {
  uint8_t *buffer = av_malloc((size_t)buffer_size);
  if (!buffer) return NULL;
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  AVIOContext *io = avio_alloc_context(buffer, buffer_size, 1, opaque, NULL, write, seek);
#else
  // The callback promises more (it does not change the buffer) than the parameter asks for.
  AVIOContext *io = avio_alloc_context(
      buffer, buffer_size, 1, opaque, NULL, (int (*)(void *, uint8_t *, int))write, seek);
#endif
  if (!io) av_free(buffer);
  return io;
}

void bs_io_free(AVIOContext *io) {
  if (!io) return;
  av_freep(&io->buffer);
  avio_context_free(&io);
}

static int refuse_to_open(
    AVFormatContext *context, AVIOContext **io, const char *url, int flags,
    AVDictionary **options) {
  (void)context, (void)url, (void)flags, (void)options;
  *io = NULL;
  return AVERROR(EACCES);
}

void bs_forbid_second_files(AVFormatContext *context) { context->io_open = refuse_to_open; }

// Subtitles

int bs_decode_subtitle(
    AVCodecContext *context, AVSubtitle *subtitle, int *got_subtitle, AVPacket *packet) {
  return avcodec_decode_subtitle2(context, subtitle, got_subtitle, packet);
}

int bs_encode_subtitle(
    AVCodecContext *context, const bs_rect *rects, int count, int64_t pts_microseconds,
    uint32_t start_milliseconds, uint32_t end_milliseconds, uint8_t *buffer, int buffer_size) {
  AVSubtitle subtitle = {0};
  int result = AVERROR(ENOMEM);
  subtitle.pts = pts_microseconds;
  subtitle.start_display_time = start_milliseconds;
  subtitle.end_display_time = end_milliseconds;
  if (count > 0) {
    subtitle.rects = av_calloc((size_t)count, sizeof *subtitle.rects);
    if (!subtitle.rects) goto end;
  }
  for (int i = 0; i < count; i++) {
    AVSubtitleRect *rect = av_mallocz(sizeof *rect);
    if (!rect) goto end;
    subtitle.rects[i] = rect;
    subtitle.num_rects = (unsigned)i + 1;
    size_t area = (size_t)rects[i].width * (size_t)rects[i].height;
    rect->type = SUBTITLE_BITMAP;
    rect->x = rects[i].x;
    rect->y = rects[i].y;
    rect->w = rects[i].width;
    rect->h = rects[i].height;
    rect->nb_colors = rects[i].color_count;
    rect->flags = rects[i].forced ? AV_SUBTITLE_FLAG_FORCED : 0;
    rect->linesize[0] = rects[i].width;
    rect->data[0] = av_memdup(rects[i].indices, area);
    rect->data[1] = av_mallocz(AVPALETTE_SIZE);
    if (!rect->data[0] || !rect->data[1]) goto end;
    memcpy(rect->data[1], rects[i].palette, (size_t)rects[i].color_count * 4);
  }
  result = avcodec_encode_subtitle(context, buffer, buffer_size, &subtitle);
end:
  avsubtitle_free(&subtitle);
  return result;
}

// Frames

static int is_plain(const AVPixFmtDescriptor *format) {
  const uint64_t other = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                         AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
  return format && !(format->flags & other);
}

int bs_is_420(const AVFrame *frame) {
  const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
  return is_plain(format) && format->nb_components >= 3 && format->log2_chroma_w == 1 &&
         format->log2_chroma_h == 1;
}

int64_t bs_copy_component(const AVFrame *frame, int component, uint8_t *destination) {
  const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
  if (!is_plain(format) || component < 0 || component >= format->nb_components || component > 2)
    return AVERROR(EINVAL);
  const AVComponentDescriptor *c = &format->comp[component];
  int width = frame->width, height = frame->height;
  if (component > 0) {
    width = AV_CEIL_RSHIFT(width, format->log2_chroma_w);
    height = AV_CEIL_RSHIFT(height, format->log2_chroma_h);
  }
  if (c->depth < 8 || c->depth > 16 || width <= 0 || height <= 0) return AVERROR(EINVAL);
  if (!frame->data[c->plane]) return AVERROR(EINVAL);
  if (!destination) return (int64_t)width * height;
  const int down = c->shift + c->depth - 8;
  const int big = !!(format->flags & AV_PIX_FMT_FLAG_BE);
  for (int y = 0; y < height; y++) {
    const uint8_t *row =
        frame->data[c->plane] + (ptrdiff_t)y * frame->linesize[c->plane] + c->offset;
    uint8_t *out = destination + (size_t)y * (size_t)width;
    if (c->depth == 8 && c->shift == 0 && c->step == 1) {
      memcpy(out, row, (size_t)width);
    } else if (c->depth == 8 && c->shift == 0) {
      for (int x = 0; x < width; x++) out[x] = row[(ptrdiff_t)x * c->step];
    } else {
      for (int x = 0; x < width; x++) {
        const uint8_t *sample = row + (ptrdiff_t)x * c->step;
        unsigned value =
            big ? (unsigned)sample[0] << 8 | sample[1] : (unsigned)sample[1] << 8 | sample[0];
        out[x] = (uint8_t)(value >> down);
      }
    }
  }
  return (int64_t)width * height;
}

int bs_bytes_equal(const void *left, const void *right, size_t count) {
  return memcmp(left, right, count) == 0;
}

// Scaling

static int64_t filter_flags(int filter) {
  switch (filter) {
  case bs_filter_fast_bilinear: return SWS_FAST_BILINEAR;
  case bs_filter_bilinear: return SWS_BILINEAR;
  case bs_filter_area: return SWS_AREA;
  case bs_filter_lanczos: return SWS_LANCZOS;
  case bs_filter_nearest: return SWS_POINT;
  default: return SWS_BICUBIC;
  }
}

int bs_scale(const AVFrame *source, AVFrame *destination, int filter, int matrix) {
  struct SwsContext *context = sws_alloc_context();
  if (!context) return AVERROR(ENOMEM);
  av_opt_set_int(context, "srcw", source->width, 0);
  av_opt_set_int(context, "srch", source->height, 0);
  av_opt_set_int(context, "src_format", source->format, 0);
  av_opt_set_int(context, "dstw", destination->width, 0);
  av_opt_set_int(context, "dsth", destination->height, 0);
  av_opt_set_int(context, "dst_format", destination->format, 0);
  av_opt_set_int(context, "sws_flags", filter_flags(filter), 0);
  // The filter places 4:2:0 chroma as MPEG-2 does, but only for the format without alpha.
  if (source->format == AV_PIX_FMT_YUV420P) av_opt_set_int(context, "src_v_chr_pos", 128, 0);
  if (destination->format == AV_PIX_FMT_YUV420P) av_opt_set_int(context, "dst_v_chr_pos", 128, 0);
  int result = sws_init_context(context, NULL, NULL);
  if (result >= 0 && matrix != 0) {
    int *inverse, *table, source_full, destination_full, brightness, contrast, saturation;
    result = sws_getColorspaceDetails(
        context, &inverse, &source_full, &table, &destination_full, &brightness, &contrast,
        &saturation);
    if (result >= 0) {
      const int *wanted = sws_getCoefficients(matrix);
      result = sws_setColorspaceDetails(
          context, wanted, source_full, wanted, destination_full, brightness, contrast,
          saturation);
    }
  }
  if (result >= 0)
    result = sws_scale(
        context, (const uint8_t *const *)source->data, source->linesize, 0, source->height,
        destination->data, destination->linesize);
  sws_freeContext(context);
  return result;
}

void bs_rgba_to_frame(const uint8_t *bytes, AVFrame *frame) {
  for (int y = 0; y < frame->height; y++) {
    uint8_t *row = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
    const uint8_t *from = bytes + (size_t)y * (size_t)frame->width * 4;
    for (int x = 0; x < frame->width; x++) {
      row[4 * x] = from[4 * x + 2];
      row[4 * x + 1] = from[4 * x + 1];
      row[4 * x + 2] = from[4 * x];
      row[4 * x + 3] = from[4 * x + 3];
    }
    // The scaler looks one pixel past a row of odd width; FFmpeg's own canvases are zero there.
    if (frame->linesize[0] > 4 * frame->width)
      memset(row + 4 * frame->width, 0, (size_t)(frame->linesize[0] - 4 * frame->width));
  }
}

void bs_frame_to_rgba(const AVFrame *frame, uint8_t *bytes) {
  for (int y = 0; y < frame->height; y++) {
    const uint8_t *row = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
    uint8_t *to = bytes + (size_t)y * (size_t)frame->width * 4;
    for (int x = 0; x < frame->width; x++) {
      to[4 * x] = row[4 * x + 2];
      to[4 * x + 1] = row[4 * x + 1];
      to[4 * x + 2] = row[4 * x];
      to[4 * x + 3] = row[4 * x + 3];
    }
  }
}
