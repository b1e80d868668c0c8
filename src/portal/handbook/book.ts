/**
 * The handbook: Markdown in docs/user, one file for each page, rendered by the renderer of all texts. It comes with the program and does not change
 * while that runs, so it is read once.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Limits, renderMarkdown } from '../../collaboration/markdown/reading.ts'
import { breather } from '../../platform/kernel/answer/time_slicing.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import { HANDBOOK } from './place.ts'

/** Where the pages lie. */
export const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs', 'user')

/** The pages in their order, by the names of their files without `.md`. */
export const pageIcons = {
  'getting-started': 'play',
  projects: 'repo',
  markdown: 'pencil',
  runners: 'server',
  wikis: 'book',
  snippets: 'file',
  ci: 'workflow',
  environments: 'rocket',
  pages: 'globe',
  packages: 'package',
  infrastructure: 'globe',
  container_registry: 'container',
  automation: 'clock',
  integrations: 'plug',
  permissions: 'shield-lock',
  api: 'code',
  testing: 'checklist',
  migration: 'download',
  administration: 'gear',
  'sign-in': 'sign-in',
  notifications: 'bell',
  mail: 'mail',
  'two-factors': 'shield-check',
  provider: 'key',
  directory: 'organization',
  upgrading: 'upload',
  troubleshooting: 'alert',
} as const satisfies Readonly<Record<string, IconName>>

export type PageName = keyof typeof pageIcons

export const pageNames = Object.keys(pageIcons) as readonly PageName[]

/** What stands below a heading, up to the next one. */
export interface Section {
  readonly title: string
  /** Undefined for what stands before the first heading. */
  readonly anchor: string | undefined
  readonly text: string
}

/** A page by its name. */
export interface PageTitle {
  readonly name: PageName
  readonly title: string
}

export interface BookPage extends PageTitle {
  /** Rendered, without its title. */
  readonly html: string
  readonly sections: readonly Section[]
}

interface Source extends PageTitle {
  /** Markdown, without the title. */
  readonly text: string
}

const read = new Map<PageName, Promise<Source>>()
const made = new Map<PageName, Promise<BookPage>>()

/** The titles of all pages: to render them takes a hundred times as long. */
export const pageTitles = (): Promise<readonly PageTitle[]> => Promise.all(pageNames.map(sourceOf))

function sourceOf(name: PageName): Promise<Source> {
  const source = read.get(name) ?? readSource(name)
  read.set(name, source)
  return source
}

async function readSource(name: PageName): Promise<Source> {
  const [, title = name, text = ''] = /^# (.+)\n([\s\S]*)$/.exec(await readFile(join(FOLDER, `${name}.md`), 'utf8')) ?? []
  return { name, title, text }
}

/** A page of the handbook. */
export function bookPage(name: PageName): Promise<BookPage> {
  const known = made.get(name)
  if (known) return known
  const page = makePage(name)
  made.set(name, page)
  // A page whose file could not be read is made by the next request.
  page.catch(() => made.delete(name))
  return page
}

/** All pages. They are made one after the other; others are served between their chapters. */
export async function bookPages(): Promise<readonly BookPage[]> {
  const pages: BookPage[] = []
  for (const name of pageNames) pages.push(await bookPage(name))
  return pages
}

async function makePage(name: PageName): Promise<BookPage> {
  const { title, text } = await sourceOf(name)
  const breath = breather()
  const parts: string[] = []
  for (const part of chaptersOf(text.replaceAll(/<!--[\s\S]*?-->\n?/g, ''))) {
    parts.push(await renderMarkdown(part, async () => new Map(), OUR_OWN))
    await breath()
  }
  const html = addressed(parts.join(''))
  return { name, title, html, sections: sectionsOf(title, html) }
}

/**
 * The handbook is our own text, which keeps no parser busy: it is rendered on the main thread, chapter by chapter. A thread for each long page, which has
 * to load the renderer first, took eight times as long for the first visitor.
 */
const OUR_OWN: Limits = { short: Number.POSITIVE_INFINITY, time: 0 }

/** What stands before the first heading of the second level, and each such heading with what follows; not those within blocks of code. */
export function chaptersOf(text: string): readonly string[] {
  const chapters: string[] = []
  let isInCode = false
  for (const part of text.split(/^(?=## )/m)) {
    if (isInCode) chapters.push(`${chapters.pop() ?? ''}${part}`)
    else chapters.push(part)
    const fences = part.match(/^ *(```|~~~)/gm)?.length ?? 0
    if (fences % 2 === 1) isInCode = !isInCode
  }
  return chapters
}

/** `ci.md#rules`, as the files have it, as the address of the page. Files outside of the handbook are beside it on the disk, and have no page. */
const addressed = (html: string): string =>
  html
    // The texts are our own: their anchors need no prefix that keeps them apart from those of the page.
    .replaceAll('id="user-content-', 'id="')
    .replaceAll(/href="([a-z_-]+)\.md(#[^"]*)?"/g, (_whole, name: string, anchor = '') => `href="${HANDBOOK}/${name}${anchor}"`)
    .replaceAll(/<a href="\.\.\/[^>]*>(.*?)<\/a>/g, '$1')

const plain = (html: string): string =>
  html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

function sectionsOf(title: string, html: string): readonly Section[] {
  const parts = html.split(/(?=<h[2-4][ >])/)
  const [first = '', ...others] = parts[0]?.startsWith('<h') ? ['', ...parts] : parts
  return [
    { title, anchor: undefined, text: plain(first) },
    ...others.map(part => {
      const [heading = ''] = /^<h[2-4][\s\S]*?<\/h[2-4]>/.exec(part) ?? []
      return { title: plain(heading), anchor: /id="([^"]+)"/.exec(heading)?.[1], text: plain(part.slice(heading.length)) }
    }),
  ]
}

/** A section that was found. */
export interface Found extends Section {
  readonly page: BookPage
}

/** The sections that have all of these words; those whose heading has them first. */
export async function searchBook(text: string): Promise<readonly Found[]> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const pages = await bookPages()
  const hasAll = (within: string) => words.every(word => within.toLowerCase().includes(word))
  const found = pages.flatMap(page =>
    page.sections.filter(({ title, text }) => hasAll(`${title} ${text}`)).map(section => ({ ...section, page })),
  )
  return [...found.filter(({ title }) => hasAll(title)), ...found.filter(({ title }) => !hasAll(title))]
}
