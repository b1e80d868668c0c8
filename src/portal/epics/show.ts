/** The page of an epic. */
import { reactionsTo } from '../../collaboration/award_emoji/queries.ts'
import { withVisibleNames } from '../../collaboration/notes/items/named.ts'
import { participantsOf } from '../../collaboration/notes/items/participants.ts'
import { isSubscribed } from '../../collaboration/subscriptions/subscribed.ts'
import { presentSummary } from '../../identity/users/entity.ts'
import { Epic } from '../../planning/epics/entity.ts'
import { visibleEpicsById } from '../../planning/epics/queries.ts'
import { labelsById } from '../../planning/labels/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { timelineOf } from '../items/timeline.ts'
import { timelineView } from '../items/timeline_view.ts'
import { textView } from '../markdown/body.ts'
import { reactionsView } from '../reactions/reactions_view.ts'
import { commentSection, frameOf } from './comments.ts'
import { contentsView } from './contents/contents_view.ts'
import { contentsOf } from './contents/load.ts'
import { epicHead, epicSide, type Mays, type ShownEpic } from './epic_view.ts'
import { epicTopicOf } from './live.ts'
import { EPIC, epicPath, type InEpic, inEpicPage } from './scope.ts'

type Caller = Context & InEpic

/** Participants that are shown. */
const MOST = 50

const mayIn = ({ actor, group }: Caller, ability: Ability): boolean => allows(actor, ability, groupSubject(group)) === 'yes'

const maysOf = (ctx: Caller): Mays => ({
  plan: mayIn(ctx, 'admin_epic'),
  delete: mayIn(ctx, 'destroy_epic'),
  subscribe: ctx.actor.user !== undefined && mayIn(ctx, 'create_epic_note'),
})

export const showEpic = pageEndpoint({
  route: `GET ${EPIC}`,
  summary: 'Show an epic',
  tier: 'premium',
  scope: inEpicPage,
  can: 'read_epic',
  async run(ctx) {
    const { db, actor, epic, group, noteable } = ctx
    const frame = frameOf(ctx)
    const may = maysOf(ctx)
    const address = epicPath(ctx)
    const named = withVisibleNames(db, actor, noteable)
    const [[shown], timeline, reactions, labels, participants, contents, parents, subscribed] = await Promise.all([
      presentAll(Epic, ctx, [epic]),
      named.then(found => timelineOf(ctx, found, [epic.description ?? ''])),
      reactionsTo(ctx, 'epic_id', [epic.id]),
      labelsById(db, epic.label_ids),
      named.then(found => participantsOf(db, actor, found).limit(MOST).execute()),
      contentsOf(ctx),
      visibleEpicsById(db, actor, epic.parent_id === null ? [] : [epic.parent_id]),
      isSubscribed(db, actor.user?.id, 'epic_id', epic.id),
    ])
    const json = shown as unknown as ShownEpic
    const people = participants.map(row => presentSummary(row, ctx))
    const topic = epicTopicOf(epic)
    const parent = [...parents.values()][0]
    const side = epicSide(ctx, {
      epic: json,
      may,
      labels: [...labels.values()].sort((a, b) => a.name.localeCompare(b.name)),
      participants: people,
      subscribed: subscribed ?? people.some(({ id }) => id === actor.user?.id),
      parent: parent && { title: parent.title, href: epicPath({ group: { full_path: parent.group_path }, epic: parent }) },
      hasTree: tierCovers(ctx.tier, 'ultimate'),
      progress: contents.progress,
      page: address,
      list: groupPath(group, '/-/epics'),
    })
    return page(ctx, {
      title: `${epic.title} (&${epic.iid})`,
      place: groupPlace(actor, group, 'epics'),
      heading: 'own',
      live: [topic],
      scripts: ['markdown_editor.js'],
      body: html`${livePart('epic-head', topic, epicHead(ctx, json, may, address))}
<div class="columns item"><div>
${livePart('epic-description', topic, html`<div class="description">${textView(epic.description ? (timeline.texts[0] as Html) : html`<p class="muted">No description</p>`, may.plan ? `${address}/tasks` : undefined)}${reactionsView(frame, address, reactions.get(epic.id) ?? [])}</div>`)}
${livePart('epic-contents', topic, contentsView(ctx, contents, { page: address, mayPlan: may.plan }))}
<section class="section" aria-label="Timeline">${livePart('timeline', topic, timelineView(frame, timeline))}</section>
${await commentSection(ctx)}
</div><aside aria-label="About the epic">${livePart('epic-side', topic, side)}</aside></div>`,
    })
  },
})
