import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  attach: 'Attach images',
  attached: 'Attached images',
  attachedCount: (count: number) => (count === 0 ? '' : count === 1 ? '1 image attached' : `${count} images attached`),
  processing: (name: string) => `Preparing ${name}`,
  open: (name: string) => `Enlarge ${name}`,
  remove: (name: string) => `Remove ${name}`,
  image: (number: number) => `image ${number}`,
  dropHere: 'Drop images to attach them',
  noVision: (models: string) => `${models} cannot read images.`,
  noVisionAttached: (models: string) =>
    `${models} cannot read images. Choose another model or remove the images; most providers refuse them.`,
  wrongType: 'File type is not supported. Please select an image file',
  wrongTypeText: (names: string) => `${names}: JPG, PNG, GIF, WebP, BMP and SVG can be attached.`,
  tooLarge: 'Image is too large',
  tooLargeText: (names: string) => `${names}: images are limited to 5 MB.`,
  tooMany: 'Too many images',
  tooManyText: (names: string) => `A message can have at most 5 images. Not attached: ${names}.`,
  imageFailed: 'Image Processing Failed',
  mobileFailed: 'Mobile Processing Failed',
  asIsText: (names: string) => `${names} could not be resized and is attached at its original size.`,
  allFailed: 'All Processing Methods Failed',
  unreadableText: (names: string) => `${names} could not be read as an image and is not attached.`,
  previous: 'Previous image',
  next: 'Next image',
  position: (at: number, of: number) => `Image ${at} of ${of}`,
}

export const imagesTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./images-zh-cn.ts')).zhCN,
}
