import { CHINESE } from './chinese-mails.ts'
import { ENGLISH } from './english-mails.ts'
import type { Language, MailContent, MailContents, MailText, MailTexts } from './mail.ts'

export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const SUBJECT_MAX = 200

/**
 * The text of a mail in one language, or in both without `language`. Values are inserted unchanged into the plain text, and escaped
 * into the HTML; no template language interprets them (class S17).
 */
export function writeMail(content: MailContent, systemName: string, language?: Language): WrittenMail {
  const languages: readonly Language[] = language === undefined ? ['en', 'zh'] : [language]
  const versions = languages.map((each) => textOf(TEXTS[each], content.kind, content, systemName))
  const subjects = [...new Set(versions.map(({ subject }) => subject))]
  return {
    subject: oneLine(subjects.join(' / ')),
    text: versions.map(plain).join('\n\n---\n\n'),
    html: document(systemName, versions.map(html).join('<hr>')),
  }
}

const TEXTS: Readonly<Record<Language, MailTexts>> = { en: ENGLISH, zh: CHINESE }

function textOf<Kind extends keyof MailContents>(
  texts: MailTexts,
  kind: Kind,
  content: MailContents[Kind],
  system: string,
): MailText {
  return texts[kind](content, system)
}

function plain({ paragraphs }: MailText): string {
  return paragraphs.map((each) => (typeof each === 'string' ? each : each.strong)).join('\n\n')
}

function html({ paragraphs }: MailText): string {
  return paragraphs
    .map((each) =>
      typeof each === 'string' ? `<p>${lines(each)}</p>` : `<p><strong>${lines(each.strong)}</strong></p>`,
    )
    .join('\n')
}

function document(title: string, body: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>\n${body}\n</body></html>`
}

function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** A subject must be one header line, whatever names it contains. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, SUBJECT_MAX)
}
