/** Who the people of GitHub are here. */

import { sql } from 'kysely'
import { accountsByEmail } from '../../../identity/emails/queries.ts'
import { providersOf } from '../../../identity/providers/file.ts'
import { signsInPeopleOf } from '../../../identity/providers/kinds/github.ts'
import { isAdmin } from '../../../platform/access/actor.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { RemoteApi } from '../../../platform/outbound/remote_api.ts'
import { People } from '../../archives/importing/people.ts'
import { Row } from '../../archives/reading/row.ts'
import { GITHUB } from '../commands.ts'
import { keep, reviewsIn, rowsOf } from './lists.ts'

/** People whose public addresses are looked up. */
const MOST_PEOPLE = 1_000

/** The people of a row: its user, assignees and reviewers. */
const peopleIn = (row: Row): Row[] => [
  ...[row.row('user')].filter(user => user !== undefined),
  ...row.rows('assignees'),
  ...row.rows('reviewers'),
]

/** Looks up the public address of everyone who is named. */
export async function fetchPeople(api: RemoteApi, folder: string): Promise<void> {
  async function* people() {
    const seen = new Set<number>()
    const all = [...['issues', 'comments', 'pulls', 'pull_comments', 'releases'].map(name => rowsOf(folder, name)), reviewsIn(folder)]
    for (const rows of all)
      for await (const row of rows)
        for (const user of peopleIn(row)) {
          const id = user.maybeId('id')
          const login = user.maybeText('login', 255)
          if (id === undefined || !login || seen.has(id) || seen.size >= MOST_PEOPLE) continue
          seen.add(id)
          const { status, value } = await api.ask(`/users/${encodeURIComponent(login)}`)
          const known = status === 200 ? Row.of(value, 'users') : undefined
          // The address is of the person with this id, and not of another one who has the name now.
          yield { id, email: known?.maybeId('id') === id ? (known.maybeText('email', 255) ?? null) : null }
        }
  }
  await keep(folder, 'people', people())
}

/**
 * The accounts of people: by their identity at a sign-in provider that is this server, else by a public address that an account here has confirmed. Where the server
 * is not the public one its word is that of its operator: it is taken from administrators alone, so that nobody puts words into the mouths of others.
 */
export async function peopleOf(ctx: Context, folder: string, base: string): Promise<People> {
  const importer = ctx.actor.user?.id as number
  if (base !== GITHUB && !isAdmin(ctx.actor)) return new People(importer, new Map(), true)
  const people: { id: number; email: string }[] = []
  for await (const row of rowsOf(folder, 'people')) {
    const id = row.maybeId('id')
    if (id !== undefined) people.push({ id, email: row.maybeText('email', 255)?.toLowerCase() ?? '' })
  }
  const accounts = await accountsByEmail(
    ctx.db,
    people.flatMap(({ email }) => (email === '' ? [] : [email])),
  )
  const identities = await identitiesOf(
    ctx,
    base,
    people.map(({ id }) => id),
  )
  const known = people.flatMap(({ id, email }) => {
    const account = identities.get(id) ?? accounts.get(email)?.id
    return account === undefined ? [] : [[id, account] as const]
  })
  return new People(importer, new Map(known), true)
}

async function identitiesOf({ db, deps }: Context, base: string, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const providers = providersOf(deps.config).filter(provider => signsInPeopleOf(provider, base))
  if (providers.length === 0) return new Map()
  const rows = await db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(['extern_uid', 'user_id'])
    .where(
      'provider',
      'in',
      providers.map(({ name }) => name),
    )
    .where('saml_provider_id', 'is', null)
    .where('users.state', '=', 'active')
    .where('extern_uid', '=', sql<string>`any(${ids.map(String)}::text[])`)
    .execute()
  return new Map(rows.map(({ extern_uid, user_id }) => [Number(extern_uid), user_id]))
}
