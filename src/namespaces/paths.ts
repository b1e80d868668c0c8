/**
 * Full paths: one `routes` row for each group, personal namespace and project. A path leads to one thing, in any case
 * of letters, and moves with everything below it.
 */
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { uniqueViolation } from '../db/errors.ts'
import { conflict, type Failures } from '../kernel/errors.ts'

/** Names that no top-level namespace may have: they are addresses of the server itself. */
const reservedAtTop = new Set(
  `-  .well-known admin api assets dashboard explore files groups health_check help import jwt login oauth profile projects public s search sitemap snippets
   unsubscribes uploads user users v2 abuse_reports deploy.html favicon.ico favicon.png robots.txt`
    .split(/\s+/)
    .filter(word => word !== ''),
)

/** Names that nothing below a namespace may have: they begin the pages of a project or group. */
const reservedBelow = new Set(
  `- badges blame blob builds commits create create_dir edit environments/folders files find_file lfs/objects info/lfs/objects new preview raw refs tree update wikis`.split(
    ' ',
  ),
)

/** `.git` and `.atom` at the end would make addresses ambiguous. */
const badEnding = /(\.git|\.atom)$/i
const groupPath = /^[A-Za-z0-9_.][A-Za-z0-9_\-.]*$/
const projectPath = /^[A-Za-z0-9_.][A-Za-z0-9_\-.]*$/

const wrongForm = "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."

/** What is wrong with the path of a group or user, if anything. */
export function namespacePathFailures(path: string, top: boolean): Failures | undefined {
  const problems: string[] = []
  if (!groupPath.test(path) || path.endsWith('.') || badEnding.test(path)) problems.push(wrongForm)
  const reserved = top ? reservedAtTop : reservedBelow
  if (reserved.has(path.toLowerCase())) problems.push(`${path} is a reserved name`)
  return problems.length > 0 ? { path: problems } : undefined
}

/** What is wrong with the path of a project, if anything. */
export function projectPathFailures(path: string): Failures | undefined {
  const problems: string[] = []
  if (!projectPath.test(path) || path.endsWith('.') || badEnding.test(path)) problems.push(wrongForm)
  if (reservedBelow.has(path.toLowerCase())) problems.push(`${path} is a reserved name`)
  return problems.length > 0 ? { path: problems } : undefined
}

/** A path made of a name, as clients expect when they give none: `My - Project!` becomes `my-project` (decision 45). */
export function pathFromName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
}

/** The part that a new path hangs below: the parent's full path and name, undefined at the top. */
export interface Above {
  readonly path: string
  readonly name: string
}

const joined = (above: Above | undefined, path: string) => (above ? `${above.path}/${path}` : path)
const joinedName = (above: Above | undefined, name: string) => (above ? `${above.name} / ${name}` : name)

/** Takes a full path for a namespace or project; a 409 when it is taken (decision 13). */
export async function takePath(
  db: Db,
  owner: { namespace_id: number } | { project_id: number },
  above: Above | undefined,
  own: { path: string; name: string },
): Promise<void> {
  try {
    await db
      .insertInto('routes')
      .values({ ...owner, path: joined(above, own.path), name: joinedName(above, own.name) })
      .execute()
  } catch (error) {
    if (uniqueViolation(error) === 'routes_path_key') throw conflict('Path has already been taken')
    throw error
  }
}

/**
 * Moves the route of a namespace or project, and of everything below a namespace, to a new full path and name.
 * A 409 when the path is taken.
 */
export async function movePath(
  db: Db,
  owner: { namespace_id: number } | { project_id: number },
  above: Above | undefined,
  own: { path: string; name: string },
): Promise<void> {
  const [column, id] = Object.entries(owner)[0] as ['namespace_id' | 'project_id', number]
  const before = await db.selectFrom('routes').select(['path', 'name']).where(column, '=', id).executeTakeFirstOrThrow()
  const path = joined(above, own.path)
  const name = joinedName(above, own.name)
  try {
    await sql`update routes set path = ${path} || substr(path, length(${before.path}) + 1), name = ${name} || substr(name, length(${before.name}) + 1)
               where ${sql.ref(column)} = ${id} or lower(path) like lower(${`${before.path.replace(/[\\%_]/g, '\\$&')}/%`})`.execute(db)
  } catch (error) {
    if (uniqueViolation(error) === 'routes_path_key') throw conflict('Path has already been taken')
    throw error
  }
}
