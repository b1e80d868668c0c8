/** The address of the page of a topic, as links elsewhere have it. */
export const topicPath = (name: string): string => `/explore/projects/topics/${encodeURIComponent(name)}`
