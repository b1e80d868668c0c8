/** People who can be added to a place, found by a part of their name or username: suggested while one types, and listed for windows without a script. */
import { type UserRow, usersMatching } from '../../identity/users/queries.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { InPlace } from '../../spaces/members/scope.ts'

/** People who are found at a time. */
const MOST = 20

/** What the address of the form says: the words that are looked for, and who was chosen. */
export function askedIn({ request }: Pick<Context, 'request'>): { readonly search: string; readonly username: string } {
  const query = new URLSearchParams(request.address.split('?', 2)[1] ?? '')
  return { search: (query.get('search') ?? '').trim().replace(/^@/, '').slice(0, 255), username: query.get('username') ?? '' }
}

/** Those whom the words of the address find, without the members of the place itself. No words find nobody. One statement. */
export async function candidates(ctx: Context & InPlace): Promise<readonly UserRow[]> {
  const { search } = askedIn(ctx)
  if (search === '') return []
  const { key } = ctx.place
  const [column, id] =
    'project_id' in key ? (['members.project_id', key.project_id] as const) : (['members.namespace_id', key.namespace_id] as const)
  return usersMatching(ctx.db, { search, active: true, exclude_internal: true, order_by: 'name', sort: 'asc' }, false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members')
            .select('members.id')
            .whereRef('members.user_id', '=', 'users.id')
            .where(column, '=', id)
            .where(isCurrentMembership('members')),
        ),
      ),
    )
    .limit(MOST)
    .execute()
}

/** Finds people without a script: a search, and links that fill in the form. `base`: the address of the form. */
export async function findPeople(ctx: Context & InPlace, base: string): Promise<Html> {
  const { search } = askedIn(ctx)
  const found = await candidates(ctx)
  const item = ({ name, username, avatar_url }: UserRow) =>
    html`<li>${avatar({ name, avatar_url }, 32)}<div class="main"><div class="title">${name}</div><div class="muted small">@${username}</div></div><div class="row"><a class="btn btn-sm" href="${base}?${new URLSearchParams({ username }).toString()}">Choose<span class="sr-only"> ${name}</span></a></div></li>`
  const none = search !== '' && html`<p role="status">Nobody who is not a member is found by “${search}”.</p>`
  return html`<noscript><form class="filter-bar" action="${base}" role="search"><label class="sr-only" for="find-people">Name or username</label><input class="form-control" type="search" id="find-people" name="search" value="${search}" placeholder="Name or username"><button class="btn">${icon('search')} Find people</button></form>
${found.length > 0 ? html`<ul class="list">${found.map(item)}</ul>` : none}</noscript>`
}
