export const FALSE_FRIENDS = 'a';
