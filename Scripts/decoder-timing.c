/* SPDX-License-Identifier: Apache-2.0
 *
 * Times the calls of libavcodec's subtitle decoder alone: the packets are read beforehand.
 *
 *   decoder-timing FILE SUBTITLE-NUMBER PASSES
 *
 * Each pass decodes a whole track by a fresh decoder. Printed are the number of bitmaps and the
 * processor time of each pass in microseconds, as burnscope-decoder-timing prints them.
 */
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_PACKETS = 1 << 20 };

static long long processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int fail(const char *reason) {
  fprintf(stderr, "decoder-timing: %s\n", reason);
  return 65;
}

int main(int count, char **words) {
  if (count != 4) {
    fprintf(stderr, "usage: decoder-timing FILE SUBTITLE-NUMBER PASSES\n");
    return 64;
  }
  av_log_set_level(AV_LOG_ERROR);
  AVFormatContext *file = NULL;
  if (avformat_open_input(&file, words[1], NULL, NULL) < 0) return fail("the file does not open");
  if (avformat_find_stream_info(file, NULL) < 0) return fail("the file makes no sense");
  AVStream *stream = NULL;
  int wanted = atoi(words[2]);
  for (unsigned index = 0; index < file->nb_streams; index++)
    if (file->streams[index]->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE && wanted-- == 0)
      stream = file->streams[index];
  if (!stream) return fail("there is no such track");
  AVPacket **packets = calloc(MOST_PACKETS, sizeof *packets);
  AVPacket *packet = av_packet_alloc();
  if (!packets || !packet) return fail("there is no memory");
  int held = 0;
  while (held < MOST_PACKETS && av_read_frame(file, packet) >= 0) {
    if (packet->stream_index == stream->index) packets[held++] = av_packet_clone(packet);
    av_packet_unref(packet);
  }
  const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
  int passes = atoi(words[3]);
  long bitmaps = 0;
  long long times[1000];
  if (passes < 1 || passes > 1000) return fail("passes are 1 to 1000");
  for (int pass = 0; pass < passes; pass++) {
    bitmaps = 0;
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    avcodec_parameters_to_context(decoder, stream->codecpar);
    decoder->pkt_timebase = stream->time_base;
    if (avcodec_open2(decoder, codec, NULL) < 0) return fail("the decoder does not open");
    long long start = processor_time();
    for (int index = 0; index < held; index++) {
      AVSubtitle subtitle;
      int shown = 0;
      avcodec_decode_subtitle2(decoder, &subtitle, &shown, packets[index]);
      if (shown) {
        bitmaps += subtitle.num_rects;
        avsubtitle_free(&subtitle);
      }
    }
    times[pass] = processor_time() - start;
    avcodec_free_context(&decoder);
  }
  printf("%ld", bitmaps);
  for (int pass = 0; pass < passes; pass++) printf(" %lld", times[pass] / 1000);
  printf("\n");
  return 0;
}
