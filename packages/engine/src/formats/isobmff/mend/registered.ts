import { codecName } from '../read/codec-names.ts'

/*
 * Codes that somebody writes on purpose: none of them is another one with a flipped bit. As registered at mp4ra.org for ISO base
 * media files and QuickTime.
 */

const SAMPLE_ENTRIES = codes(
  '2dcc 3glo 3gor 3gvo 6vpt a3d1 a3d2 a3d3 a3d4 a3ds ac-3 ac-4 agsm alac alaw ap4h ap4x apac apch apcn apco apcs aprh aprn apv1',
  'av01 av3a avc1 avc2 avc3 avc4 avcp avs3 avst c608 c708 camm cavs CFHD civd cndm dav1 depi dfce dipi dra1 drac dts+ dts- dtsc',
  'dtse dtsh dtsl dtsx dtsy DV10 dva1 dvav dvh1 dvh5 dvh6 dvhe dvhp DVOO DVOR DVTV DVVT dyol dyvm dyvp ec+3 ec-3 enc3 enca encf',
  'encm encp encs enct encu encv evc1 evm1 evs1 evs2 evte FFV1 fl32 fl64 fLaC flic fpcm g719 g726 h261 h263 HD10 hev1 hev2 hev3',
  'hvc1 hvc2 hvc3 hvt1 hvt2 hvt3 iamf icp3 icpa icph icpm icpp icps icpt icpv ima4 in24 in32 invo invp ipcm ixse j2ki jpeg jxsm',
  'lhe1 lht1 lhv1 lpcm lvc1 m2ts M105 m4ae mebx mett metx mha1 mha2 mhm1 mhm2 mjp2 mjpa mjpb mjpg mlix mlpa mp4a mp4s mp4v mvc1',
  'mvc2 mvc3 mvc4 mvd1 mvd2 mvd3 mvd4 ocpc oksd Opus pm2t PNTG prtp Qclp QDM2 QDMC rcvp resa resv rm2t rpza rrtp rsrp rtcp rtmd',
  'rv60 rvp2 s263 samr sawb sawp sbtt sevc sevs Shr0 Shr1 Shr2 Shr3 Shr4 sm2t sqcp srtp ssmv stcp STGS stmd stpp stxt svc1 svc2',
  'svcM SVQ1 SVQ3 tc64 tiff tmcd ttsl twos tx3g ulaw uncv unid urim v3a1 v3ag v3c1 v3cb v3cg v3e1 v3eg v3t1 vc-1 vdva vp08 vp09',
  'vqme vrsp vvc1 vvcN vvi1 vvs1 WRLE wvtt',
  ['dvi ', 'fdp ', 'gif ', 'png ', 'raw ', 'rle ', 'rtp ', 'tga '],
)

/** VobSub's `subp`, telemetry's `camm` and QuickTime's data references are not registered, but written. */
const HANDLERS = codes(
  '3gsd auxv avmd clcp cpad crsm dmbd dtva dvmd fdsm gesm GRAP hapt hint hpix ID32 ipdc ipsm m7sm meta mjsm mp21 mp7b mp7t mpdl',
  'MPEG musi nnet nrtm null ocsm odsm pict qd3d sbtl sdsm skmm smhr soun sprt strm subt text tmcd twen vide volv',
  'subp camm priv alis dhlr mhlr',
  ['mpd ', 'uri ', 'url '],
)

/** True for the format of a sample entry that is registered, or that the engine has a codec for. */
export function isFormat(code: string): boolean {
  return SAMPLE_ENTRIES.has(code) || codecName(code, 0, true) !== code.toLowerCase().trim()
}

export function isHandler(code: string): boolean {
  return HANDLERS.has(code)
}

/** Codes of four characters; those that end in a space stand in lists. */
function codes(...lines: readonly (string | readonly string[])[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => (typeof line === 'string' ? line.split(' ') : line)))
}
