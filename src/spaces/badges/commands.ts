/** Writes of badges. */

import type { Place } from '../../platform/access/places.ts'
import { isWebAddress } from '../../platform/kernel/addresses/web_address.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Failures, forbidden, invalid } from '../../platform/kernel/errors.ts'
import type { BadgeRow } from './queries.ts'

/** The attributes that can be set; undefined ones stay. */
export interface BadgeAttributes {
  readonly name?: string | undefined
  readonly link_url?: string | undefined
  readonly image_url?: string | undefined
}

/** 400 for a text that is no web address, placeholders apart: it is used in `href` and `src` of other users' pages. */
export function assertAddresses({ link_url, image_url }: BadgeAttributes): void {
  const failures: Failures = {}
  if (link_url !== undefined && !isAddress(link_url)) failures.link_url = ['is invalid']
  if (image_url !== undefined && !isAddress(image_url)) failures.image_url = ['is invalid']
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

function isAddress(text: string): boolean {
  // The scheme must be literal, not from a placeholder.
  return /^https?:/i.test(text) && isWebAddress(text.replace(/%\{\w+\}/g, 'placeholder'))
}

/** Adds a badge to a project or group and returns its id. */
export async function addBadge(
  { db, now }: Context,
  place: Place,
  attributes: BadgeAttributes & { readonly link_url: string; readonly image_url: string },
): Promise<number> {
  assertAddresses(attributes)
  const { name = null, link_url, image_url } = attributes
  const { id } = await db
    .insertInto('badges')
    .values({ ...place, name, link_url, image_url, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a badge. */
export async function changeBadge({ db, now }: Context, badge: BadgeRow, attributes: BadgeAttributes): Promise<void> {
  assertAddresses(attributes)
  await db
    .updateTable('badges')
    .set({ ...attributes, updated_at: now })
    .where('id', '=', badge.id)
    .execute()
}

/** Deletes a badge. */
export async function removeBadge({ db }: Context, badge: BadgeRow): Promise<void> {
  await db.deleteFrom('badges').where('id', '=', badge.id).returning('id').executeTakeFirstOrThrow()
}

/** Contract: a group's badge is visible in its projects, and changed only in the group: 403 (project badges API). */
export function assertKind(badge: BadgeRow, kind: BadgeRow['kind']): void {
  if (badge.kind !== kind) throw forbidden('To change a group badge please use the group endpoint')
}
