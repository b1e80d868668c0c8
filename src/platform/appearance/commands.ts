/** Writes of the instance's appearance. */
import { changesExcept, isChanged } from '../events/audit/changes.ts'
import { recordEvent } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'
import type { Upload } from '../kernel/declaration/types.ts'
import { imageTypeOf } from '../kernel/request/images.ts'
import { safeFilename } from '../object_store/filenames.ts'
import { storeUpload } from '../object_store/rows.ts'
import { type AppearanceRow, appearanceOf, type ImageKind, imageKinds } from './queries.ts'

/** Texts, colours and pictures; those that are not given stay, and null or an empty file removes a picture. */
export type AppearanceChanges = {
  readonly [Name in keyof Omit<AppearanceRow, ImageKind>]?: AppearanceRow[Name] | undefined
} & { readonly [Kind in ImageKind]?: Upload | null | undefined }

/** As publicly documented, 1 MB; more pixels than any of the pictures is displayed with. */
const limits = { bytes: 1024 * 1024, side: 4_096 }

/** @throws Refusal 400 where a file is no image, or too large */
export async function changeAppearance(ctx: Context, changes: AppearanceChanges): Promise<AppearanceRow> {
  const { db, now } = ctx
  const before = await appearanceOf(db)
  const { logo, header_logo, favicon, ...rest } = changes
  const images = { logo, header_logo, favicon }
  for (const kind of imageKinds) {
    const image = images[kind]
    if (image !== undefined) await changeImage(ctx, kind, image)
  }
  const texts = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  await db
    .updateTable('appearance')
    .set({ ...texts, updated_at: now })
    .execute()
  const after = await appearanceOf(db)
  const changed = changesExcept(before, after, [])
  if (isChanged(changed)) await recordEvent(ctx, { kind: 'appearance.updated', payload: { changes: changed } })
  return after
}

async function changeImage(ctx: Context, kind: ImageKind, upload: Upload | null): Promise<void> {
  const { db } = ctx
  if (!upload || upload.size === 0) {
    await db.deleteFrom('appearance_images').where('kind', '=', kind).execute()
    return
  }
  const media_type = await imageTypeOf(kind, upload, limits)
  const image = { object_id: await storeUpload(ctx, upload), filename: safeFilename(upload.filename, kind), media_type }
  await db
    .insertInto('appearance_images')
    .values({ kind, ...image })
    .onConflict(conflict => conflict.column('kind').doUpdateSet(image))
    .execute()
}
