/** Finding settings by their words, in the declarations of the pages: only those that the caller may open. */
import type { Context } from '../../platform/kernel/context.ts'
import { labelOf } from '../../platform/pages/forms/labels.ts'
import { fieldsOf, isForm, mayOpen, mayUse, type Section, type SettingsPage, sectionsOf } from './declaration.ts'

/** A setting that was found. */
export interface FoundSetting {
  readonly label: string
  /** The page and section that it is on. */
  readonly where: string
  /** Leads to its field. */
  readonly href: string
}

interface Candidate extends FoundSetting {
  /** What it is found by, in lower case: the label, and the rest. */
  readonly said: string
  readonly besides: string
}

const textOf = (part: unknown): string => (typeof part === 'string' ? part : '')

/** All that a page has for this caller: its sections, and the settings in them. */
async function candidatesOf<S extends object>(ctx: Context & S, page: SettingsPage<S>): Promise<Candidate[]> {
  if (!mayOpen(ctx, page)) return []
  const address = page.addressOf(ctx, page.path)
  const sections = (await sectionsOf(ctx, page)).filter(section => mayUse(ctx, page, section))
  return sections.flatMap(section => [ofSection(page, section, address), ...ofFields(ctx, page, section, address)])
}

const candidate = (found: FoundSetting, ...besides: readonly string[]): Candidate => ({
  ...found,
  said: found.label.toLowerCase(),
  besides: [found.label, found.where, ...besides].join(' ').toLowerCase(),
})

const ofSection = <S extends object>({ title }: SettingsPage<S>, section: Section<S>, address: string): Candidate =>
  candidate(
    { label: section.title, where: title, href: `${address}#${section.key}` },
    // The key has the word of the API: transfer.
    ...[section.says ?? '', section.alsoCalled ?? '', section.key.replaceAll('_', ' ')],
  )

function ofFields<S extends object>(ctx: Context & S, page: SettingsPage<S>, section: Section<S>, address: string): Candidate[] {
  if (!isForm(section)) return []
  return fieldsOf(ctx, page, section)
    .filter(({ control }) => control !== 'hidden')
    .map(({ name, label = labelOf(name), hint, choices }) => {
      const words = typeof choices === 'function' ? [] : (choices ?? []).flatMap(choice => choice.slice(1).map(textOf))
      const where = label === section.title ? page.title : `${page.title} › ${section.title}`
      return candidate({ label, where, href: `${address}#field-${name}` }, name.replaceAll('_', ' '), textOf(hint), ...words)
    })
}

/** The words of a search, in lower case. */
export const wordsOf = (search: string): readonly string[] =>
  search
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')

export const hasAll = (text: string, words: readonly string[]): boolean => words.every(word => text.toLowerCase().includes(word))

/** The settings in which all words of `search` occur; those that are called so come first. A section that is a field is listed as the field. */
export async function settingsFound<S extends object>(
  ctx: Context & S,
  pages: readonly SettingsPage<S>[],
  search: string,
): Promise<FoundSetting[]> {
  const words = wordsOf(search)
  if (words.length === 0) return []
  const all: Candidate[] = []
  for (const page of pages) all.push(...(await candidatesOf(ctx, page)))
  const named = all.filter(({ said }) => hasAll(said, words))
  const others = all.filter(({ said, besides }) => !hasAll(said, words) && hasAll(besides, words))
  const found = [...named, ...others]
  return found.filter(one => one.href.includes('#field-') || !found.some(other => other !== one && other.label === one.label))
}
