/** Texts of people in mails: rendered and sanitised as pages do, with addresses that lead back here. */
import { itemKinds } from '../../collaboration/item_kinds/item_kind.ts'
import type { ReferenceLink } from '../../collaboration/markdown/document.ts'
import { itemPlaceOf } from '../../collaboration/markdown/links.ts'
import { renderMarkdown } from '../../collaboration/markdown/reading.ts'
import type { Reference } from '../../collaboration/markdown/references.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import type { MailPart } from '../../platform/mail/content.ts'
import { escapeHtml, Html, html } from '../../platform/pages/html.ts'
import type { Subject } from './subjects.ts'

/** Characters of a text that a mail shows. */
const LONGEST = 20_000

/**
 * Links of references by how they are written, without looking anything up: the same mail goes to many readers, and a title is not for those who may
 * not see what it names.
 */
function linksTo(instance: string, { text }: Subject, references: readonly Reference[]): Map<string, ReferenceLink> {
  const hrefOf = (reference: Reference): string | undefined => {
    if (reference.kind === 'user') return reference.name === 'all' ? undefined : `${instance}/${reference.name}`
    const kind = itemKinds.value.find(({ noun }) => noun === reference.kind)
    const path =
      kind && (reference.place === undefined && kind.within === 'project' ? text.home.full_path : itemPlaceOf(kind, reference, text.home))
    return kind && path ? `${instance}/${kind.pageOf(path, Number(reference.name))}` : undefined
  }
  return new Map(
    references.flatMap(reference => {
      const href = hrefOf(reference)
      return href === undefined ? [] : [[reference.text, { href, title: '' }] as const]
    }),
  )
}

/**
 * Addresses in the HTML, made whole: a mail has no page to start from. Within tags alone: a text may look like an attribute, and would swallow the
 * markup up to the next quote. In sanitised HTML `<` and `>` are nothing but the ends of tags.
 */
const absolute = (instance: string, { url, text }: Subject, rendered: string): string => {
  const wholeAddress = (whole: string, name: string, address: string): string => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return whole
    const from = address.startsWith('/uploads/') ? `/${encodeURI(text.path)}${address}` : address
    const target = URL.parse(from.startsWith('/') ? `${instance}${from}` : from, url)
    return target ? ` ${name}="${escapeHtml(target.href).replaceAll('&amp;amp;', '&amp;')}"` : ''
  }
  return rendered.replaceAll(/<[a-z][^<>]*>/gi, tag => tag.replaceAll(/ (href|src)="([^"]*)"/g, wholeAddress))
}

/** A text of an item as a part of a mail. */
export async function written(instance: string, subject: Subject, source: string): Promise<MailPart> {
  const isCut = source.length > LONGEST
  const shown = isCut ? `${source.slice(0, LONGEST)}…` : source
  const rendered = await renderMarkdown(shown, async references => linksTo(instance, subject, references)).catch(error => {
    if (error instanceof Refusal) return undefined
    throw error
  })
  return {
    written: {
      text: shown.trim(),
      html: rendered === undefined ? html`<pre>${shown}</pre>` : Html.trusted(absolute(instance, subject, rendered)),
      ...(isCut && { goesOn: subject.url }),
    },
  }
}

/** Does a text say nothing? */
export const isBlank = (text: string | null): boolean => text === null || text.trim() === ''
