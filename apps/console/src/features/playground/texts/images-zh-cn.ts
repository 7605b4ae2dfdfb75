import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './images-texts.ts'

export const zhCN: Translation<typeof en> = {
  attach: '添加图片',
  attached: '已添加的图片',
  attachedCount: (count) => (count === 0 ? '' : `已添加 ${count} 张图片`),
  processing: (name) => `正在处理 ${name}`,
  open: (name) => `放大查看 ${name}`,
  remove: (name) => `移除 ${name}`,
  image: (number) => `图片 ${number}`,
  dropHere: '将图片拖到此处添加',
  noVision: (models) => `${models} 不支持读取图片。`,
  noVisionAttached: (models) => `${models} 不支持读取图片。请更换模型或移除图片；多数提供商会拒绝这些图片。`,
  wrongType: '不支持此文件类型，请选择图片文件',
  wrongTypeText: (names) => `${names}：可添加 JPG、PNG、GIF、WebP、BMP 和 SVG。`,
  tooLarge: '图片过大',
  tooLargeText: (names) => `${names}：每张图片最大 5 MB。`,
  tooMany: '图片过多',
  tooManyText: (names) => `每条消息最多 5 张图片。未添加：${names}。`,
  imageFailed: '图片处理失败',
  mobileFailed: '移动端处理失败',
  asIsText: (names) => `${names} 无法压缩，已按原样添加。`,
  allFailed: '所有处理方式均失败',
  unreadableText: (names) => `${names} 无法作为图片读取，未添加。`,
  previous: '上一张图片',
  next: '下一张图片',
  position: (at, of) => `第 ${at} 张，共 ${of} 张`,
}
