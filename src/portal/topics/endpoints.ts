/** The topics of projects: all of them, and what the projects of one are. */
import { scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { counted } from '../../platform/pages/components/numbers.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { projectsMatching } from '../../spaces/projects/queries.ts'
import { listTopics } from '../../spaces/topics/endpoints.ts'
import { type TopicRow, topicByName } from '../../spaces/topics/queries.ts'
import { areasView } from '../explore/areas.ts'
import { projectList } from '../projects/list_view.ts'
import { topicPath } from './address.ts'

const TOPICS = '/explore/projects/topics'

export const exploreTopics = pageEndpoint({
  route: `GET ${TOPICS}`,
  summary: 'Show the topics of projects',
  scope: listTopics.scope as never,
  can: 'read_instance',
  params: { ...listParams, ...listTopics.params },
  async run(ctx) {
    const found = await answerOf(ctx, listTopics, ctx.params as Readonly<Record<string, unknown>>)
    const search = (ctx.params as { readonly search?: string }).search ?? ''
    return page(ctx, {
      title: 'Explore topics',
      body: html`${areasView(ctx, TOPICS)}<form class="filter-bar" action="${TOPICS}" role="search" aria-label="In this list"><label class="sr-only" for="search">Filter by name</label><input class="form-control" type="search" id="search" name="search" value="${search}" placeholder="Filter by name" data-hotkey="f"><button class="btn">Filter</button></form>
${found.rows.length > 0 ? html`<ul class="list" data-list>${(found.rows as readonly (TopicRow & { title: string })[]).map(({ name, title, description, total_projects_count }) => html`<li>${icon('tag')}<div class="main"><div class="title"><a href="${topicPath(name)}">${title}</a></div>${description && html`<div class="muted small break">${description}</div>`}</div><span class="muted small">${counted(total_projects_count, 'project')}</span></li>`)}</ul>` : empty({ icon: 'tag', title: 'No topics', says: 'Projects get topics in their settings.' })}${found.links}`,
    })
  },
})

/** `:topic_name` becomes a topic, or 404. */
const inTopicPage = scope({
  name: 'inTopicPage',
  path: { topic_name: text('Name of a topic', { maxLength: 255 }) },
  async load({ db }, { topic_name }) {
    const topic = await topicByName(db, topic_name)
    if (!topic) throw notFound('Topic')
    return { topic }
  },
  subject: () => ({ on: 'instance' as const }),
})

export const showTopic = pageEndpoint({
  route: `GET ${TOPICS}/:topic_name`,
  summary: 'Show a topic, and the projects that have it as far as the caller sees them',
  scope: inTopicPage,
  can: 'read_instance',
  params: listParams,
  async run(ctx) {
    const { db, actor, topic, params } = ctx
    const query = projectsMatching(db, actor, { topic: [topic.name], order_by: 'last_activity_at' })
    const found = await listPage(ctx, query, params)
    return page(ctx, {
      title: topic.title ?? topic.name,
      heading: 'own',
      body: html`${areasView(ctx, TOPICS)}<div class="heading"><h1>${topic.title ?? topic.name}</h1></div>${topic.description && html`<p class="break">${topic.description}</p>`}
${found.rows.length > 0 ? projectList(found.rows) : empty({ icon: 'search', title: 'No projects found', says: 'No project that you may see has this topic.' })}${found.links}`,
    })
  },
})
