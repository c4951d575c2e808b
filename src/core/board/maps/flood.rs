//! Computes orbits: everything that some maps (the generators) reach from one item, each with a value.
//!
//! ```text
//!   generators: exchange rows 1 and 2, exchange rows 2 and 3        value: the permutation that leads to the item
//!   from row 1:  row 1 --1,2--> row 2 --2,3--> row 3                so the orbit of row 1 is rows 1, 2 and 3
//! ```

/// Finds all items that can be reached from `start`, whose value is `value`, and gives each a value. `images` returns the images of an item
/// under all generators, each with its generator. `of_image` computes the value of an image from the value of the item;
/// it is called once for each image. Returns the items in the order in which they are reached.
pub(crate) fn flood<T: Copy, G, I: IntoIterator<Item = (usize, G)>>(
    values: &mut [Option<T>],
    start: usize,
    value: T,
    images: impl Fn(usize) -> I,
    of_image: impl Fn(T, G) -> T,
) -> Vec<usize> {
    values[start] = Some(value);
    let (mut open, mut orbit) = (vec![(start, value)], vec![start]);
    while let Some((item, value)) = open.pop() {
        for (image, generator) in images(item) {
            if values[image].is_none() {
                let value = of_image(value, generator);
                values[image] = Some(value);
                open.push((image, value));
                orbit.push(image);
            }
        }
    }
    orbit
}
