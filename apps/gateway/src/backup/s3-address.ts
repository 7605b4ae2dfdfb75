/** The parts of `s3://bucket/prefix`; the prefix is empty or ends with a slash. */
export interface S3Address {
  readonly bucket: string
  readonly prefix: string
}

/** Bucket names: "Bucket naming rules", Amazon S3 User Guide. */
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w!'()*-][\w.!'()*-]*)*)\/?$/

export function isS3(text: string): boolean {
  return text.startsWith('s3://')
}

/** Undefined unless the text is a bucket, optionally with a prefix of plain names. */
export function readS3Address(text: string): S3Address | undefined {
  const match = ADDRESS.exec(text)
  if (match === null) return undefined
  const [, bucket = '', path = ''] = match
  return { bucket, prefix: path === '' ? '' : `${path.slice(1)}/` }
}
