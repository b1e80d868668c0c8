/**
 * The project's own words for the mails of its service desk: Markdown files on its default branch. Public behaviour: the folder, the names and the
 * placeholders are those of the platform (service desk at 14.0).
 */
import { templatesInRepository } from '../../code/templates/in_repository.ts'
import { itemKind } from '../../collaboration/item_kinds/item_kind.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { instanceTexts } from '../../platform/mail/outbox.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'

/** The template of a kind of mail; undefined where the project has none. Reads the repository: not within a transaction. */
export const deskTemplate = async (
  { deps }: Pick<Context, 'deps'>,
  project: ProjectRow,
  name: 'thank_you' | 'new_note',
): Promise<string | undefined> => (await templatesInRepository({ deps }, project, 'service_desk').find(name))?.content

/** What placeholders stand for. */
export interface DeskFacts {
  readonly project: Pick<ProjectRow, 'full_path'>
  readonly iid: number
  readonly unsubscribe: string
  /** The comment that is mailed; empty in thanks. */
  readonly note: string
}

/** What the instance says in its mails, which templates may place. Two statements. */
export async function instanceFacts(db: Db): Promise<Readonly<Record<string, string>>> {
  const { header, footer, additional } = await instanceTexts(db)
  return { SYSTEM_HEADER: header ?? '', SYSTEM_FOOTER: footer ?? '', ADDITIONAL_TEXT: additional }
}

/** Characters that placeholders are filled with in one mail: a template may have any number of them, and a comment be long. */
const MOST_FILLED = 1024 * 1024

/**
 * The template with its placeholders filled in, each once: what a comment says is no template. Unknown ones stay, and so do those for whose values there
 * is no room. Pure.
 */
export function filled(
  template: string,
  { project, iid, unsubscribe, note }: DeskFacts,
  instance: Readonly<Record<string, string>>,
): string {
  const reference = `${itemKind('issue').sigil}${iid}`
  const values: Readonly<Record<string, string>> = {
    ...instance,
    ISSUE_ID: reference,
    ISSUE_PATH: `${project.full_path}${reference}`,
    NOTE_TEXT: note,
    UNSUBSCRIBE_URL: unsubscribe,
  }
  let room = MOST_FILLED
  return template.replaceAll(/%\{ {0,10}([A-Z_]{1,30}) {0,10}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : undefined
    if (value === undefined || value.length > room) return whole
    room -= value.length
    return value
  })
}
