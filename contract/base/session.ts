/** What the people of a team may do, from least to most (docs/sign-in.md). Each role includes those before it. */
export const roles = ['read', 'watch', 'administrate'] as const

export type Role = (typeof roles)[number]
