/** The only files that the package may have; `*` in a name stands for what a bundler adds to it. */
const ALLOWED: readonly RegExp[] = [
  /^package\.json$/,
  /^README\.md$/,
  /^NOTICE\.md$/,
  /^LICENSE$/,
  /^bin\/sluice\.mjs$/,
  /^apps\/gateway\/dist\/sluice\/[\w.-]+\.js$/,
  /^apps\/console\/dist\/(index\.html|theme\.js|favicon\.svg)(\.br|\.gz)?$/,
  /^apps\/console\/dist\/assets\/[\w.-]+-[\w-]{8}\.(js|css)(\.br|\.gz)?$/,
]

const REQUIRED = [
  'package.json',
  'README.md',
  'NOTICE.md',
  'LICENSE',
  'bin/sluice.mjs',
  'apps/gateway/dist/sluice/sluice.js',
  'apps/console/dist/index.html',
]

/** Bytes of all files together. A larger package contains something that does not belong in it. */
const SIZE_MAX = 20_000_000

/** Problems of a package's files, one sentence each. `files`: paths with `/`, and sizes in bytes. */
export function contentProblems(files: ReadonlyMap<string, number>): readonly string[] {
  const paths = [...files.keys()]
  const size = [...files.values()].reduce((sum, bytes) => sum + bytes, 0)
  return [
    ...paths.filter((path) => !ALLOWED.some((rule) => rule.test(path))).map((path) => `${path} does not belong in it.`),
    ...REQUIRED.filter((path) => !files.has(path)).map((path) => `${path} is missing.`),
    ...(size > SIZE_MAX ? [`It takes ${size} bytes; at most ${SIZE_MAX} are expected.`] : []),
  ]
}
