/** Reads of the instance's appearance. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { Appearance } from '../db/schema.ts'

/** The pictures of the instance, by what they are for. */
export const imageKinds = ['logo', 'header_logo', 'favicon'] as const
export type ImageKind = (typeof imageKinds)[number]

/** The texts and colours with the paths of the pictures. */
export interface AppearanceRow extends Omit<Selectable<Appearance>, 'id' | 'updated_at'>, Readonly<Record<ImageKind, string | null>> {}

/** Where a picture is served. The name of the file is part of it: another picture has another address. */
export const imagePath = (kind: ImageKind, filename: string): string =>
  `/uploads/-/system/appearance/${kind}/1/${encodeURIComponent(filename)}`

/** How the instance presents itself. */
export async function appearanceOf(db: Db): Promise<AppearanceRow> {
  const {
    id: _id,
    updated_at: _at,
    images,
    ...texts
  } = await db
    .selectFrom('appearance')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('appearance_images')
        .select(({ fn }) => fn<Record<string, string> | null>('json_object_agg', ['kind', 'filename']).as('images'))
        .as('images'),
    )
    .executeTakeFirstOrThrow()
  const pathOf = (kind: ImageKind) => {
    const filename = images?.[kind]
    return filename === undefined ? null : imagePath(kind, filename)
  }
  return { ...texts, logo: pathOf('logo'), header_logo: pathOf('header_logo'), favicon: pathOf('favicon') }
}

/** A picture with the location of its bytes. */
export const appearanceImage = (db: Db, kind: ImageKind) =>
  db
    .selectFrom('appearance_images')
    .innerJoin('stored_objects', 'stored_objects.id', 'appearance_images.object_id')
    .select([
      'appearance_images.filename',
      'appearance_images.media_type',
      'stored_objects.key',
      'stored_objects.size',
      'stored_objects.sha256',
    ])
    .where('kind', '=', kind)
    .executeTakeFirst()

/** What every page shows of it. */
export interface FrameAppearance
  extends Pick<AppearanceRow, 'header_message' | 'footer_message' | 'message_background_color' | 'message_font_color'> {
  /** Names of files, by what they are for. */
  readonly images: Partial<Record<ImageKind, string>> | null
}

/** The same as a value within the statement of a page. */
export const frameAppearance = sql<FrameAppearance>`
  (select json_build_object(
            'header_message', header_message, 'footer_message', footer_message,
            'message_background_color', message_background_color, 'message_font_color', message_font_color,
            'images', (select json_object_agg(kind, filename) from appearance_images))
     from appearance)`
