/** Where projects may be imported from (`import_sources`). */
import type { Db } from '../db/connection.ts'
import { forbidden } from '../kernel/errors.ts'
import { applicationSettings } from './queries.ts'

/** The sources that the platform knows at 14.0. */
export const importSources = [
  'github',
  'bitbucket',
  'bitbucket_server',
  'gitlab',
  'fogbugz',
  'git',
  'gitlab_project',
  'gitea',
  'manifest',
  'phabricator',
] as const

export type ImportSourceName = (typeof importSources)[number]

/** @throws Refusal 403 for a source that administrators have switched off */
export async function assertImportSource(db: Db, source: ImportSourceName): Promise<void> {
  const { import_sources } = await applicationSettings(db)
  if (!import_sources.includes(source)) throw forbidden()
}
