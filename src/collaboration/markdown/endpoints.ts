/** Rendering Markdown for clients (markdown API at 14.0). */
import Type from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { findProject } from '../../spaces/projects/scope.ts'
import { MARKDOWN_LENGTH } from './document.ts'
import { linksOf } from './links.ts'
import { renderMarkdown } from './reading.ts'

const Rendered = plain('RenderedMarkdown', Type.Object({ html: text('The text as HTML') }))

export const renderText = endpoint({
  route: 'POST /markdown',
  summary: 'Render Markdown as HTML',
  scope: inInstance,
  can: 'read_instance',
  anonymous: true,
  // It writes nothing, and a text may wait for a thread: no connection to the database waits with it.
  writes: 'own',
  params: {
    text: text('The text', { maxLength: MARKDOWN_LENGTH, examples: ['Hello **world** :tada:'] }),
    gfm: optional(flag('Render references as links', { default: false })),
    project: optional(text('ID or full path of the project in which references are resolved; with `gfm`')),
  },
  answers: one(Rendered, 201),
  errors: ['not_found'],
  async run(ctx) {
    const { text, gfm, project } = ctx.params
    const home = gfm && project ? await findProject(ctx.db, ctx.actor, project) : undefined
    return { html: await renderMarkdown(text, async references => (gfm ? linksOf(ctx, home, references) : new Map())) }
  },
})
