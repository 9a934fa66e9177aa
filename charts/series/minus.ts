/** The minus sign of displayed figures. Exported and typed figures have the hyphen that programs parse. */
export const minus = '−'
