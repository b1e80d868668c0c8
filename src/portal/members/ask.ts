/** The button on the page of a project or group by which people ask to become members. */
import type { Place } from '../../platform/access/places.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { accessRequestBy } from '../../spaces/access_requests/queries.ts'

interface Asked {
  readonly key: Place
  /** The path of the page of its members. */
  readonly members: string
  /** Where a request is sent. */
  readonly ask: string
  /** Does the place accept requests? */
  readonly isEnabled: boolean
}

/** Asks for access, or takes back that one has asked. For users who may ask and are no members. */
export async function accessButton(ctx: Context, { key, members, ask, isEnabled }: Asked): Promise<Html | false> {
  if (!ctx.actor.user) return false
  const { id } = ctx.actor.user
  if (await accessRequestBy(ctx.db, key, id))
    return html`${chip('You asked for access', 'attention')}${actionButton(ctx, { to: `${members}/requests/${id}/deny`, face: 'Take back', label: 'Take the request for access back' })}`
  return isEnabled && actionButton(ctx, { to: ask, face: 'Ask for access' })
}
