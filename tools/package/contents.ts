/** Every file that the package may contain; `*` in a name stands for what a bundler adds to it. All other files are refused. */
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

/** Without these a package does not work. */
const REQUIRED = [
  'package.json',
  'README.md',
  'NOTICE.md',
  'LICENSE',
  'bin/sluice.mjs',
  'apps/gateway/dist/sluice/sluice.js',
  'apps/console/dist/index.html',
]

/** Limit in bytes for all files together. A larger package contains something that it should not. */
const SIZE_MAX = 20_000_000

/** What is wrong with the files of a package, one sentence each. `files`: paths with `/`, and sizes in bytes. */
export function contentProblems(files: ReadonlyMap<string, number>): readonly string[] {
  const paths = [...files.keys()]
  const size = [...files.values()].reduce((sum, bytes) => sum + bytes, 0)
  return [
    ...paths.filter((path) => !ALLOWED.some((rule) => rule.test(path))).map((path) => `${path} does not belong in it.`),
    ...REQUIRED.filter((path) => !files.has(path)).map((path) => `${path} is missing.`),
    ...(size > SIZE_MAX ? [`It takes ${size} bytes; at most ${SIZE_MAX} are expected.`] : []),
  ]
}
