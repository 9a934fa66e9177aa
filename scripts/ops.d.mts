export const files: Readonly<Record<string, () => string>>
