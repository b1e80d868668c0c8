/** What a project has elsewhere by its integrations: an issue tracker, a wiki. */

import type { Db } from '../../platform/db/connection.ts'
import { withoutEndingSlashes } from '../../platform/patterns/slashes.ts'
import type { ProjectRow } from '../projects/queries.ts'
import { propertiesOf, titleOf } from './entity.ts'
import { placeOfProject } from './places.ts'
import { activeIn, type IntegrationRow } from './queries.ts'

type Placed = Pick<ProjectRow, 'id' | 'namespace_traversal_ids'>

/** Whether a tracker's issues are named by a number alone (`#12`), by a key (`LAMP-12`) or in words (`work item 12`). */
const forms: Readonly<Record<string, { readonly numbers?: true; readonly keys?: true; readonly words?: true }>> = {
  jira: { keys: true },
  youtrack: { keys: true },
  redmine: { numbers: true, keys: true },
  bugzilla: { numbers: true, keys: true },
  'custom-issue-tracker': { numbers: true, keys: true },
  ewm: { words: true },
}

/** Addresses of wikis outside, by kind. */
const wikis: Readonly<Record<string, string>> = { 'external-wiki': 'external_wiki_url', confluence: 'confluence_url' }

/** An issue tracker outside. */
export interface ExternalTracker {
  readonly title: string
  /** The page of the project there. */
  readonly project: string
  /** The address of an issue. @param text as it was written @param name the number or key in it */
  addressOf(text: string, name: string): string | undefined
}

const textIn = (row: IntegrationRow, name: string): string => String(propertiesOf(row)[name] ?? '')

function trackerFrom(row: IntegrationRow): ExternalTracker {
  const form = forms[row.slug] ?? {}
  const jira = withoutEndingSlashes(textIn(row, 'url'))
  const template = row.slug === 'jira' ? `${jira}/browse/:id` : textIn(row, 'issues_url')
  return {
    title: titleOf(row),
    project: row.slug === 'jira' ? jira : textIn(row, 'project_url'),
    addressOf(text, name) {
      const isForm = text.startsWith('#') ? form.numbers : text === name ? form.keys : form.words
      return isForm ? template.replace(':id', encodeURIComponent(name)) : undefined
    },
  }
}

/** The issue tracker that a project has outside; of several the first by its slug. */
export async function trackerOf(db: Db, project: Placed): Promise<ExternalTracker | undefined> {
  const [row] = await activeIn(db, placeOfProject(project), Object.keys(forms))
  return row && trackerFrom(row)
}

/** A page elsewhere that the place bar leads to. */
export interface Elsewhere {
  readonly kind: 'tracker' | 'wiki'
  readonly title: string
  readonly href: string
}

/** The pages elsewhere of a project: its tracker, and its wikis. */
export async function pagesElsewhere(db: Db, project: Placed): Promise<readonly Elsewhere[]> {
  const rows = await activeIn(db, placeOfProject(project), [...Object.keys(forms), ...Object.keys(wikis)])
  const trackers = rows.filter(({ slug }) => slug in forms).slice(0, 1)
  return [
    ...trackers.map((row): Elsewhere => ({ kind: 'tracker', title: titleOf(row), href: trackerFrom(row).project })),
    ...rows
      .filter(({ slug }) => slug in wikis)
      .map((row): Elsewhere => ({ kind: 'wiki', title: titleOf(row), href: textIn(row, wikis[row.slug] as string) })),
  ].filter(({ href }) => href !== '')
}
