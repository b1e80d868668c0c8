/** Writes of imports: the request and its state. The task code/imports/task.ts does the work. */
import { assertImportSource } from '../../../platform/application_settings/import_sources.ts'
import { enqueue, remoteQueue } from '../../../platform/events/worker.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { shownUrl } from '../../../platform/outbound/shown_url.ts'
import { Secret } from '../../../platform/secret.ts'
import { moveImport, setImportSource } from './states.ts'

/** Binds the ciphertext of an address to its column. */
const PURPOSE = 'projects.import_credentials'

/** An address to import from, with its credentials. */
export interface ImportSource {
  readonly url: URL
  readonly credentials: { readonly username: string; readonly password: Secret } | undefined
}

/** Parses an address, the value of a parameter. 400 if it is no http or https address of a repository. */
export function readImportUrl(text: string, parameter = 'import_url'): ImportSource {
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) throw invalid({ [parameter]: ['is not a valid URL'] })
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalid({ [parameter]: ['must be an http or https URL'] })
  const [username, password] = [decoded(url.username, parameter), decoded(url.password, parameter)]
  url.username = ''
  url.password = ''
  return { url, credentials: username === '' && password === '' ? undefined : { username, password: new Secret(password) } }
}

function decoded(part: string, parameter: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalid({ [parameter]: ['is not a valid URL'] })
  }
}

/**
 * Queues the import of the repository at `importUrl` into a project, in the transaction that creates or changes it. Readers of the project
 * see the address without its credentials.
 * @throws Refusal 403 where administrators have switched off imports of addresses
 */
export async function scheduleImport(ctx: Context, projectId: number, importUrl: string): Promise<void> {
  const { db } = ctx
  await assertImportSource(db, 'git')
  await storeImportUrl(ctx, projectId, importUrl)
  await moveImport(db, projectId, 'schedule')
  await enqueue(
    db,
    'import_project',
    { project_id: projectId },
    { jobKey: `import_project ${projectId}`, queueName: remoteQueue(projectId), turnOf: ctx.actor.user?.id },
  )
}

/** Keeps the address that a project was imported from, or is to pull from. */
export async function storeImportUrl({ db, deps }: Context, projectId: number, importUrl: string): Promise<void> {
  const { url } = readImportUrl(importUrl)
  await setImportSource(db, projectId, { import_url: shownUrl(url.href), import_credentials: deps.secrets.encrypt(importUrl, PURPOSE) })
}

/** An address of a repository that was encrypted for a column. */
export const storedSource = ({ secrets }: Pick<Context['deps'], 'secrets'>, stored: string, purpose: string): ImportSource =>
  readImportUrl(secrets.decrypt(stored, purpose).reveal())

/** The import address of a project, with its credentials; undefined if it has none. */
export const importSourceOf = (deps: Pick<Context['deps'], 'secrets'>, stored: string | null): ImportSource | undefined =>
  stored === null ? undefined : storedSource(deps, stored, PURPOSE)
