/** What each kind of integration does with an event, and how its settings are tried. */
import { tellDrone, tellJenkins, tellTeamCity } from './builds.ts'
import { postToChannels, postToCircuit, postToDiscord, postToGoogleChat, postToTeams, postToWebex } from './chats.ts'
import { tellJira, tryJira } from './jira.ts'
import { mailPipeline, mailPush } from './mails.ts'
import type { Sender } from './sender.ts'

/** By slug. Kinds without a line are notified of nothing. */
export const senders: Readonly<Record<string, Sender>> = {
  slack: postToChannels,
  mattermost: postToChannels,
  'microsoft-teams': postToTeams,
  discord: postToDiscord,
  'hangouts-chat': postToGoogleChat,
  'webex-teams': postToWebex,
  'unify-circuit': postToCircuit,
  jenkins: tellJenkins,
  'drone-ci': tellDrone,
  teamcity: tellTeamCity,
  jira: tellJira,
  'emails-on-push': mailPush,
  'pipelines-email': mailPipeline,
}

/** How settings are tried, where it is not by telling of what happened last. */
export const trials: Readonly<Record<string, Sender>> = { jira: tryJira }
