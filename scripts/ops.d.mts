export function rulesFile(): string
export function dashboardFile(): string
export const files: Readonly<Record<string, () => string>>
