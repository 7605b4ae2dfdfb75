import type { LanguageFn } from 'highlight.js'

/** `with` names grammars to load along, because programs in the language can contain code in them. */
export interface Language {
  readonly name: string
  readonly load: () => Promise<{ readonly default: LanguageFn }>
  readonly with?: readonly string[]
}

const LANGUAGES: readonly Language[] = [
  { name: 'bash', load: () => import('highlight.js/lib/languages/bash') },
  { name: 'c', load: () => import('highlight.js/lib/languages/c') },
  { name: 'cpp', load: () => import('highlight.js/lib/languages/cpp') },
  { name: 'csharp', load: () => import('highlight.js/lib/languages/csharp') },
  { name: 'css', load: () => import('highlight.js/lib/languages/css') },
  { name: 'diff', load: () => import('highlight.js/lib/languages/diff') },
  { name: 'dockerfile', load: () => import('highlight.js/lib/languages/dockerfile') },
  { name: 'go', load: () => import('highlight.js/lib/languages/go') },
  { name: 'ini', load: () => import('highlight.js/lib/languages/ini') },
  { name: 'java', load: () => import('highlight.js/lib/languages/java') },
  { name: 'javascript', load: () => import('highlight.js/lib/languages/javascript') },
  { name: 'json', load: () => import('highlight.js/lib/languages/json') },
  { name: 'kotlin', load: () => import('highlight.js/lib/languages/kotlin') },
  { name: 'lua', load: () => import('highlight.js/lib/languages/lua') },
  { name: 'makefile', load: () => import('highlight.js/lib/languages/makefile') },
  { name: 'markdown', load: () => import('highlight.js/lib/languages/markdown') },
  { name: 'php', load: () => import('highlight.js/lib/languages/php') },
  { name: 'powershell', load: () => import('highlight.js/lib/languages/powershell') },
  { name: 'python', load: () => import('highlight.js/lib/languages/python') },
  { name: 'r', load: () => import('highlight.js/lib/languages/r') },
  { name: 'ruby', load: () => import('highlight.js/lib/languages/ruby') },
  { name: 'rust', load: () => import('highlight.js/lib/languages/rust') },
  { name: 'scala', load: () => import('highlight.js/lib/languages/scala') },
  { name: 'shell', load: () => import('highlight.js/lib/languages/shell'), with: ['bash'] },
  { name: 'sql', load: () => import('highlight.js/lib/languages/sql') },
  { name: 'swift', load: () => import('highlight.js/lib/languages/swift') },
  { name: 'typescript', load: () => import('highlight.js/lib/languages/typescript') },
  { name: 'xml', load: () => import('highlight.js/lib/languages/xml'), with: ['css', 'javascript'] },
  { name: 'yaml', load: () => import('highlight.js/lib/languages/yaml') },
]

const ALIASES: Readonly<Record<string, string>> = {
  'c#': 'csharp',
  'c++': 'cpp',
  cc: 'cpp',
  console: 'shell',
  cs: 'csharp',
  docker: 'dockerfile',
  golang: 'go',
  h: 'c',
  hpp: 'cpp',
  html: 'xml',
  js: 'javascript',
  json5: 'json',
  jsonc: 'json',
  jsonl: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  mjs: 'javascript',
  patch: 'diff',
  postgresql: 'sql',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
  zsh: 'bash',
}

/** Takes any name of a language; undefined for languages that are not coloured. */
export function languageOf(name: string): Language | undefined {
  const lower = name.toLowerCase()
  const known = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower
  return LANGUAGES.find((language) => language.name === known)
}
