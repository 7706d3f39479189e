"""
What a step is to make small, from the student's and the teacher's unit vectors, and the states that they are means of. Knows vectors alone.
"""

import torch
import torch.nn.functional as F

SCALE = 20  # of cosines in every softmax
NEVER = -1e4  # likeness of what a softmax is not to see


def spread_loss(student, teacher):
    """KL of the softmax over a batch's likenesses, each text's own left out."""
    own = torch.eye(len(student), dtype=torch.bool)
    ours = (SCALE * student @ student.T).masked_fill(own, NEVER).log_softmax(1)
    theirs = (SCALE * teacher @ teacher.T).masked_fill(own, NEVER).log_softmax(1)
    return F.kl_div(ours, theirs, log_target=True, reduction="batchmean")


def distance_loss(student, teacher):
    """Mean of 1 - cosine of the student's and the teacher's vector of one text."""
    return (1 - (student * teacher).sum(1)).mean()


def contrast_loss(questions, answers, by_teacher=None):
    """
    Symmetric InfoNCE of pairs. An answer that the teacher (`by_teacher`, questions and answers) finds likelier than
    the pair's own is taken for another right one and not pushed away; without it each question has its own alone.
    """
    likeness = SCALE * questions @ answers.T
    if by_teacher is not None:
        theirs = by_teacher[0] @ by_teacher[1].T
        own = torch.eye(len(questions), dtype=torch.bool)
        as_right = theirs >= torch.minimum(theirs.diagonal()[:, None], theirs.diagonal()[None, :]).clamp_min(0.3)
        likeness = likeness.masked_fill(as_right & ~own, NEVER)
    target = torch.arange(len(questions))
    return (F.cross_entropy(likeness, target) + F.cross_entropy(likeness.T, target)) / 2


def teaching_loss(students, teachers):
    """Stage one: 3 (1 - cosine) + 0.3 KL. Returns (loss, parts to report)."""
    distance, spread = distance_loss(students[0], teachers[0]), spread_loss(students[0], teachers[0])
    return 3 * distance + 0.3 * spread, {"distance": distance, "spread": spread}


def furthering_loss(students, teachers, weight=1):
    """
    Stage three: as in stage one, + `weight` (1 - cosine) of the states. Each side is what `Bert.embed_with_states` gives, or in stage five
    `Bert.embed_with_layers`. Returns (loss, parts to report).
    """
    (vectors, states), (by_teacher, its_states) = students[0], teachers[0]
    loss, parts = teaching_loss([vectors], [by_teacher])
    strayed = (1 - F.cosine_similarity(states, its_states, dim=-1)).mean()
    return loss + weight * strayed, {**parts, "states": strayed}


def likeness_loss(questions, notes, their_questions, their_notes):
    """KL of the softmax over what a batch's questions and notes have in common, both ways, to the teacher's."""
    ours, theirs = SCALE * questions @ notes.T, SCALE * their_questions @ their_notes.T
    ways = ((ours, theirs), (ours.T, theirs.T))
    return sum(F.kl_div(a.log_softmax(1), b.log_softmax(1), log_target=True, reduction="batchmean") for a, b in ways) / 2


def asking_loss(students, teachers, weight=1, likeness=0):
    """
    Stage four: as in stage three for the first side of texts, and questions attract their notes, with the teacher's vectors as anchor; in
    stage six + `likeness` KL to what the teacher finds like, and the last two sides are pairs that attract each other as in stage two.
    Returns (loss, parts to report).
    """
    loss, parts = furthering_loss(students, teachers, weight)
    ours, theirs = ([vectors for vectors, _ in sides[1:]] for sides in (students, teachers))
    contrast = contrast_loss(*ours[:2])
    anchored = sum(map(distance_loss, ours, theirs)) / 2
    parts = {**parts, "contrast": contrast, "anchored": anchored}
    if likeness:
        parts["likeness"] = likeness_loss(*ours[:2], *theirs[:2])
        loss = loss + likeness * parts["likeness"]
    if len(ours) > 2:
        parts["pairs"] = contrast_loss(*ours[2:], theirs[2:])
        loss = loss + 0.5 * parts["pairs"]
    return loss + 0.5 * contrast + 3 * anchored, parts


def pairing_loss(students, teachers):
    """Stage two: pairs attract, with the teacher's vectors as anchor. Returns (loss, parts to report)."""
    contrast = contrast_loss(*students, teachers)
    distance = sum(map(distance_loss, students, teachers)) / 2
    return 0.3 * contrast + 3 * distance, {"contrast": contrast, "distance": distance}
