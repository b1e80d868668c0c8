/** What people write on an issue's page: comments, answers, changes of them, and reactions. */
import { awardEmojiEndpoints } from '../../collaboration/award_emoji/endpoints.ts'
import { discussionEndpoints } from '../../collaboration/discussions/endpoints.ts'
import { noteEndpoints } from '../../collaboration/notes/endpoints.ts'
import type { NoteRow } from '../../collaboration/notes/queries.ts'
import { issueApi } from '../../planning/issues/item_kind/noteable.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { commentFields, commentInstead, typed } from '../items/comment_fields.ts'
import {
  type InIssue,
  ISSUE,
  inIssueNotePage,
  inIssueNoteReaction,
  inIssuePage,
  inIssueReaction,
  inIssueThreadPage,
  inOneIssueNoteReaction,
  inOneIssueReaction,
  issuePath,
} from './scope.ts'

const notes = noteEndpoints(issueApi)
const threads = discussionEndpoints(issueApi, false)
const awards = awardEmojiEndpoints(issueApi)

const mayHide = ({ actor, project }: Context & InIssue): boolean => allows(actor, 'read_internal_note', projectSubject(project)) === 'yes'

const base = ({ project }: InIssue): string => projectPath(project, '/-')

const frame = (title: string) => (ctx: Context & InIssue) => ({
  title: `${title} #${ctx.issue.iid}`,
  place: projectPlace(ctx.actor, ctx.project, 'issues'),
  scripts: ['markdown_editor.js'],
})

/** Where a comment can be seen: the note, or the page where the text had quick actions only. */
const afterNote = (ctx: Context & InIssue, said: { readonly id?: number }): string =>
  issuePath(ctx, said.id === undefined ? '' : `#note_${said.id}`)

const noticeOf = (said: { readonly summary?: readonly string[] }): string => said.summary?.join(' ') || 'The comment was added.'

export const comment = form<InIssue>({
  path: `${ISSUE}/comment`,
  summary: 'Comment on an issue',
  scope: inIssuePage,
  of: declarationOf(notes, 'POST', /\/notes$/),
  instead: commentInstead,
  fields: ctx => commentFields(base(ctx), { mayHide: mayHide(ctx) }),
  second: ({ actor, project, issue, isOwn }) =>
    allows(actor, 'update_issue', { ...projectSubject(project), own: isOwn }) !== 'yes'
      ? undefined
      : issue.state === 'opened'
        ? { name: 'also', value: 'close', label: 'Comment and close' }
        : { name: 'also', value: 'reopen', label: 'Comment and reopen' },
  next: afterNote,
  notice: noticeOf,
  button: 'Comment',
  frame: frame('Comment on'),
})

const discussion = form<InIssue>({
  path: `${ISSUE}/discussions/new`,
  summary: 'Start a thread on an issue',
  scope: inIssuePage,
  of: declarationOf(threads, 'POST', /\/discussions$/),
  instead: commentInstead,
  fields: ctx => commentFields(base(ctx), { mayHide: mayHide(ctx) }),
  next: (ctx, said: { readonly notes?: readonly { readonly id: number }[] }) => afterNote(ctx, said.notes?.[0] ?? {}),
  notice: noticeOf,
  button: 'Start the thread',
  frame: frame('Start a thread on'),
})

const answering = form<InIssue & { readonly discussion: { readonly id: string } }>({
  path: `${ISSUE}/discussions/:discussion_id/reply`,
  summary: 'Reply to a thread on an issue',
  scope: inIssueThreadPage,
  of: declarationOf(threads, 'POST', /:discussion_id\/notes$/),
  instead: { ...commentInstead, of: [...commentInstead.of, 'internal'] },
  fields: ctx => commentFields(base(ctx), { mayHide: false }),
  next: afterNote,
  notice: noticeOf,
  button: 'Reply',
  within: ({ discussion }) => `reply-${discussion.id}`,
  frame: frame('Reply in a thread on'),
})

const edit = form<InIssue & { readonly note: NoteRow }>({
  path: `${ISSUE}/notes/:note_id/edit`,
  summary: 'Change a comment on an issue',
  scope: inIssueNotePage,
  of: declarationOf(notes, 'PUT', /:note_id$/),
  instead: {
    of: ['body', 'confidential', 'internal'],
    params: { body: commentInstead.params.body },
    adapt: async (_ctx, { body }) => ({ body: typed(body) }),
  },
  fields: ctx => commentFields(base(ctx), { mayHide: false }),
  values: ({ note }) => ({ body: note.body }),
  next: (ctx, said: { readonly id?: number }) => afterNote(ctx, said),
  notice: (said: { readonly summary?: readonly string[] }) => said.summary?.join(' ') || 'The comment was changed.',
  button: 'Save',
  after: ctx => html`<p><a href="${issuePath(ctx, `#note_${ctx.note.id}`)}">Cancel</a></p>`,
  within: ({ note }) => `note-${note.id}`,
  frame: frame('Change a comment on'),
})

const back = (ctx: InIssue): string => issuePath(ctx)

export const issueComments = {
  showComment: comment.show,
  comment: comment.submit,
  showDiscussion: discussion.show,
  discuss: discussion.submit,
  showAnswering: answering.show,
  answer: answering.submit,
  showEdit: edit.show,
  edit: edit.submit,
  remove: action({
    route: `POST ${ISSUE}/notes/:note_id/delete`,
    of: declarationOf(notes, 'DELETE', /:note_id$/),
    scope: inIssueNotePage,
    next: back,
    notice: 'The comment was deleted.',
  }),
  react: action({
    route: `POST ${ISSUE}/reactions`,
    of: declarationOf(awards, 'POST', /:issue_iid\/award_emoji$/),
    scope: inIssueReaction,
    next: back,
    notice: 'Your reaction was added.',
  }),
  takeBack: action({
    route: `POST ${ISSUE}/reactions/:award_id/delete`,
    of: declarationOf(awards, 'DELETE', /:issue_iid\/award_emoji\/:award_id$/),
    scope: inOneIssueReaction,
    next: back,
    notice: 'Your reaction was taken back.',
  }),
  reactToNote: action({
    route: `POST ${ISSUE}/notes/:note_id/reactions`,
    of: declarationOf(awards, 'POST', /:note_id\/award_emoji$/),
    scope: inIssueNoteReaction,
    next: back,
    notice: 'Your reaction was added.',
  }),
  takeBackOfNote: action({
    route: `POST ${ISSUE}/notes/:note_id/reactions/:award_id/delete`,
    of: declarationOf(awards, 'DELETE', /:note_id\/award_emoji\/:award_id$/),
    scope: inOneIssueNoteReaction,
    next: back,
    notice: 'Your reaction was taken back.',
  }),
}
