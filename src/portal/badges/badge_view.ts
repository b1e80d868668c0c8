/** Badges as people see them: an image with a link. Images come from where the badge says, as those of Markdown do. */
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { Badge } from '../../spaces/badges/entity.ts'
import { badgesOfGroup, badgesOfProject, exampleProjectOf } from '../../spaces/badges/queries.ts'
import type { InEither } from '../places/planning.ts'

/** A badge as the API answers it. */
export interface ShownBadge {
  readonly id: number
  readonly name: string | null
  readonly kind: 'project' | 'group'
  readonly link_url: string
  readonly image_url: string
  readonly rendered_link_url: string
  readonly rendered_image_url: string
}

/** What the page of a place shows at most. */
const MOST = 20

/** The image with its link. It is called by the badge's name, which stands there too where the image does not come. */
export const badgeLink = ({
  name,
  rendered_link_url,
  rendered_image_url,
}: Omit<ShownBadge, 'id' | 'kind' | 'link_url' | 'image_url'>): Html => {
  const label = name || 'Badge'
  return html`<a class="badge-link" href="${rendered_link_url}" rel="nofollow noopener noreferrer"><img src="${rendered_image_url}" alt="${label}" title="${label}" height="20" loading="lazy" referrerpolicy="no-referrer"></a>`
}

/** The badges of a project with those of its groups, or those of a group; nothing where there are none. */
export async function badgesView(ctx: Context, { project, group }: InEither): Promise<Html | false> {
  const { db, actor } = ctx
  const found = project ? badgesOfProject(db, project) : group && badgesOfGroup(db, group.id, await exampleProjectOf(db, actor, group.id))
  const rows = (await found?.limit(MOST).execute()) ?? []
  if (rows.length === 0) return false
  const badges = await presentAll(Badge, ctx, rows)
  return html`<ul class="plain-list row badges" aria-label="Badges">${badges.map(badge => html`<li>${badgeLink(badge as unknown as ShownBadge)}</li>`)}</ul>`
}
