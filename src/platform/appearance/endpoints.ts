/** How the instance presents itself (appearance API of the v4 level 14.0). Its pictures are public: the page for signing in shows them. */
import Type from 'typebox'
import { contentDisposition } from '../kernel/answer/disposition.ts'
import { entity } from '../kernel/answer/entity.ts'
import { objectAnswer } from '../kernel/answer/object.ts'
import { root } from '../kernel/declaration/dialect.ts'
import { endpoint, one, ranged } from '../kernel/declaration/endpoint.ts'
import { inInstance, within } from '../kernel/declaration/scope.ts'
import { File, flag, Nullable, OneOf, optional, text } from '../kernel/declaration/types.ts'
import { notFound } from '../kernel/errors.ts'
import { changeAppearance } from './commands.ts'
import { type AppearanceRow, appearanceImage, appearanceOf, imageKinds } from './queries.ts'

const color = (description: string) => text(description, { pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$', examples: ['#E75E40'] })

const texts = {
  title: text('Title of the page for signing in', { maxLength: 255 }),
  description: text('What that page says below it, in Markdown', { maxLength: 10_000 }),
  new_project_guidelines: text('What the page for a new project says, in Markdown', { maxLength: 10_000 }),
  profile_image_guidelines: text('What is said beside the picture of a profile, in Markdown', { maxLength: 10_000 }),
  header_message: text('What stands above every page', { maxLength: 1_000 }),
  footer_message: text('What stands below every page', { maxLength: 1_000 }),
  message_background_color: color('Background of both messages'),
  message_font_color: color('Colour of their text; black or white where it could not be read'),
  email_header_and_footer_enabled: flag('Whether mails have both messages too'),
}

const picture = (description: string) => Nullable(text(description, { examples: ['/uploads/-/system/appearance/logo/1/logo.png'] }))

export const AppearanceEntity = entity({
  name: 'Appearance',
  schema: Type.Object({
    ...texts,
    logo: picture('Path of the picture on the page for signing in; null for that of the program'),
    header_logo: picture('Path of the picture at the top of every page; null for that of the program'),
    favicon: picture('Path of the icon in browsers; null for that of the program'),
  }),
  present: (row: AppearanceRow) => row,
})

const image = (description: string) =>
  optional(
    Nullable(File({ description: 'An image of at most 1 MB' }), {
      description: `${description}, an image of at most 1 MB; empty for none`,
    }),
  )

export const getAppearance = endpoint({
  route: 'GET /application/appearance',
  summary: 'Get how the instance presents itself',
  scope: inInstance,
  can: 'admin_instance',
  answers: one(AppearanceEntity),
  run: ({ db }) => appearanceOf(db),
})

export const updateAppearance = endpoint({
  route: 'PUT /application/appearance',
  summary: 'Change how the instance presents itself',
  scope: inInstance,
  can: 'admin_instance',
  params: {
    title: optional(texts.title),
    description: optional(texts.description),
    new_project_guidelines: optional(texts.new_project_guidelines),
    profile_image_guidelines: optional(texts.profile_image_guidelines),
    header_message: optional(texts.header_message),
    footer_message: optional(texts.footer_message),
    message_background_color: optional(texts.message_background_color),
    message_font_color: optional(texts.message_font_color),
    email_header_and_footer_enabled: optional(texts.email_header_and_footer_enabled),
    logo: image('Picture on the page for signing in'),
    header_logo: image('Picture at the top of every page'),
    favicon: image('Icon in browsers'),
  },
  answers: one(AppearanceEntity),
  run: ctx => changeAppearance(ctx, ctx.params),
})

/** A picture by what it is for and the name of its file: an address from before a change is 404. */
const inAppearanceImage = within(inInstance, {
  name: 'inAppearanceImage',
  path: { kind: OneOf(imageKinds, { description: 'What the picture is for' }), filename: text('Name of the file') },
  async load({ db }, { kind, filename }: { kind: (typeof imageKinds)[number]; filename: string }) {
    const image = await appearanceImage(db, kind)
    if (image?.filename !== filename) throw notFound('File')
    return { image }
  },
})

export const showAppearanceImage = endpoint({
  route: 'GET /uploads/-/system/appearance/:kind/1/:filename',
  summary: 'Show a picture of the instance',
  scope: inAppearanceImage,
  can: 'read_instance',
  dialect: root,
  answers: ranged('image/*'),
  run: ctx =>
    objectAnswer(ctx, ctx.image, { mediaType: ctx.image.media_type, disposition: contentDisposition('inline', ctx.image.filename) }),
})
